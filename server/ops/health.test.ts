// Tests of the reported health of the gateway.
import { expect, it, vi } from 'vitest';
import { Health } from './health.ts';

it('[HE1] Health is degraded as long as any part is, and reports each change once', () => {
  const health = new Health();
  const reported = vi.fn();
  const forget = health.onChange(reported);
  expect(health.state).toEqual({ status: 'ok', reasons: [] });
  health.report('sandbox', 'no bwrap');
  health.report('sandbox', 'no bwrap');
  health.report('disk', 'full');
  health.report('sandbox', null);
  expect(health.state).toEqual({ status: 'degraded', reasons: ['full'] });
  health.report('disk', null);
  expect(health.state).toEqual({ status: 'ok', reasons: [] });
  expect(reported).toHaveBeenCalledTimes(4);
  forget();
  health.report('disk', 'full');
  expect(reported).toHaveBeenCalledTimes(4);
});
