// A connection without a network transport: a gateway in the test's own process, at the other end of a
// ChannelPair.
import type { Gateway } from '../gateway.ts';
import type { Identity } from '../policy/identity.ts';
import { ChannelPair } from './channel-pair.ts';
import type { Wire } from './wire-client.ts';

export function connectInProcess(gateway: Gateway, identity: Identity): Wire {
  const channel = new ChannelPair();
  return {
    send: (message) => channel.push(message.toString()),
    pause: () => channel.stall(),
    resume: () => channel.flow(),
    cut: () => channel.cut(),
    listen: (events) => {
      channel.client = events;
      gateway.serve(channel, identity);
    },
  };
}
