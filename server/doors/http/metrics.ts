// GET /metrics: metrics in the format of monitoring systems.
import type { ServerResponse } from 'node:http';
import { end } from './answers.ts';

export type ReportDefect = (what: string, error: unknown) => void;

export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** Sends the metrics. `asked`: null when the client is not allowed to see them. */
export async function sendMetrics(
  response: ServerResponse,
  asked: Promise<Exposition> | null,
  reportDefect: ReportDefect,
): Promise<void> {
  if (!asked) {
    end(response, 403, 'metrics are only for admins, operators and observers');
    return;
  }
  try {
    const { contentType, text } = await asked;
    response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
  } catch (error) {
    reportDefect('GET /metrics', error);
    response.destroy();
  }
}
