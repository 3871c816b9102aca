/** The hosts of package registries, by the name that stands for them behind an `@`. */
import { Failure } from '../failure.ts';

const HOST_PRESETS: Readonly<Record<string, readonly string[]>> = {
  npm: ['registry.npmjs.org', 'registry.yarnpkg.com'],
  pypi: ['pypi.org', 'files.pythonhosted.org'],
  crates: ['crates.io', 'index.crates.io', 'static.crates.io', 'static.rust-lang.org'],
  go: ['proxy.golang.org', 'sum.golang.org', 'go.dev', 'dl.google.com'],
  github: [
    'github.com',
    'api.github.com',
    'codeload.github.com',
    'raw.githubusercontent.com',
    'objects.githubusercontent.com',
    'release-assets.githubusercontent.com',
  ],
  debian: [
    'deb.debian.org',
    'security.debian.org',
    'archive.ubuntu.com',
    'security.ubuntu.com',
    'ports.ubuntu.com',
  ],
  rubygems: ['rubygems.org', 'index.rubygems.org'],
  maven: ['repo.maven.apache.org', 'repo1.maven.org', 'plugins.gradle.org', 'services.gradle.org'],
};

/** Hosts as they are written, with the lists that `@npm` and its like stand for. */
export function expandHosts(written: readonly string[]): string[] {
  return written.flatMap((host) => (host.startsWith('@') ? preset(host) : [host]));
}

function preset(name: string): readonly string[] {
  const hosts = Object.hasOwn(HOST_PRESETS, name.slice(1)) ? HOST_PRESETS[name.slice(1)] : undefined;
  if (hosts !== undefined) return hosts;
  throw new Failure('E_INVALID_ARGS', `There is no list of hosts called ${JSON.stringify(name)}.`, {
    hint: `There are: ${Object.keys(HOST_PRESETS)
      .map((known) => `@${known}`)
      .join(', ')}.`,
  });
}
