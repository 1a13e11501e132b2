// File facts on a card: the git branch of the folder, and a program that could have been replaced.
import { it } from 'vitest';
import { expect, newPage } from '../../testing/page.ts';
import { PageApprovals } from '../../testing/page-approvals.ts';

it('a card shows the branch, the real path of the folder, and the program with size, time and hash, as soon as they are known', async () => {
  const page = newPage();
  const approvals = new PageApprovals(page.gateway);
  await page.load();
  const asked = approvals.ask({ argv: ['./deploy.sh'] });
  const card = page.locator(`article[data-approval-id="${asked.id}"]`);
  await expect(card).toContainText('/srv/shop');
  await expect(card).not.toContainText('Branch');
  await expect(card).not.toContainText('Program');
  const sha256 = 'ab'.repeat(32);
  const program = { path: '/srv/shop/de\u202eploy.sh', bytes: 1300, modifiedAtMs: 1000, sha256 };
  approvals.ask({ ...asked, branch: 'feature/one', program, folder: '/srv/other' });
  await expect(card).toContainText('feature/one');
  await expect(card).toContainText('Real path/srv/other');
  await expect(card).toContainText('/srv/shop/de\\u202eploy.sh in a writable folder, 1.3 kB, changed');
  await expect(card).toContainText(`SHA-256 ${sha256.slice(0, 16)}…`);
  await expect(card.getByTitle(sha256)).toHaveCount(1);
  approvals.ask({ ...asked, program: { ...program, sha256: null } });
  await expect(card).toContainText('too large to hash');
});

it('a card shows no such facts if the gateway reports none', async () => {
  const page = newPage();
  const approvals = new PageApprovals(page.gateway);
  await page.load();
  const { id } = approvals.ask({ branch: undefined as never, program: undefined as never });
  const card = page.locator(`article[data-approval-id="${id}"]`);
  await expect(card).toContainText('/srv/shop');
  await expect(card).not.toContainText('Program');
});

it('a card shows how many variables are left out until it has loaded the whole request', async () => {
  const page = newPage();
  const approvals = new PageApprovals(page.gateway);
  await page.load();
  const variables = [{ name: 'A', value: '1' }];
  const { id } = approvals.ask({ variables, moreVariables: 1200, isWhole: false });
  const card = page.locator(`article[data-approval-id="${id}"]`);
  await expect(card).toContainText('A=1');
  await expect(card).toContainText('and 1,200 more');
});
