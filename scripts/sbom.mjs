// npm run sbom: prints a CycloneDX list of the packages that ship, bundled or as runtime dependencies.
import './check-node.mjs';
import { execFileSync } from 'node:child_process';
import { build } from './build.mjs';
import { ROOT } from './run.mjs';
import { shipped } from './third-party.mjs';

if (!(await build())) process.exit(1);
const inside = shipped();
const all = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  }),
);
const root = all.metadata.component;
// npm names the root package after the checkout's folder; only `bom-ref` contains the real name.
root.name = root['bom-ref'].replace(/@[^@]*$/, '');
const isInside = (ref) => ref === root['bom-ref'] || inside.has(ref);
const components = all.components.filter((each) => isInside(each['bom-ref']));
const dependencies = all.dependencies
  .filter(({ ref }) => isInside(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isInside) }));
process.stdout.write(`${JSON.stringify({ ...all, components, dependencies }, null, 2)}\n`);
