// Reach of a link: the gateway's machine, or the network.
import { describe, expect, it } from 'vitest';
import { linkReach } from './link-reach.ts';

describe('A link', () => {
  it.each([
    ['http://127.0.0.1:7420/#share=x', '7420:127.0.0.1:7420'],
    ['http://localhost:9000/#share=x', '9000:localhost:9000'],
    ['https://console.localhost/#share=x', '443:console.localhost:443'],
    ['http://[::1]:7420/console/#share=x', '7420:[::1]:7420'],
    ['http://127.1.2.3/#share=x', '80:127.1.2.3:80'],
    ['http://[::ffff:127.0.0.1]:7420/#share=x', '7420:[::ffff:7f00:1]:7420'],
  ])('%s reaches one machine, with a tunnel command for others', (link, forwarded) => {
    expect(linkReach(link)).toMatchObject({
      kind: 'machine',
      tunnel: `ssh -N -L ${forwarded} USER@THIS-MACHINE`,
    });
  });

  it.each([
    'https://dev.example/console/#share=x',
    'https://10.0.0.5:7420/#share=x',
    'https://127.0.0.1.example/#share=x',
    'https://localhost.example/#share=x',
    'https://notlocalhost/#share=x',
    'https://[fd00::1]/#share=x',
  ])('%s reaches the network', (link) => {
    expect(linkReach(link)).toEqual({ kind: 'network' });
  });

  it('has no known reach without an address', () => expect(linkReach('#share=x')).toBeNull());
});
