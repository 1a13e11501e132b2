// Conversion of file: URIs to paths and back, and the URIs that are refused.
import { describe, expect, it } from 'vitest';
import { pathFromUri, uriFromPath } from './file-uri.ts';

describe('A file URI', () => {
  it.each([
    ['file:///tmp', '/tmp'],
    ['file:///', '/'],
    ['file:///a%20b/c d', '/a b/c d'],
    ['file:///gr%C3%B6%C3%9Fer/größer/日本', '/größer/größer/日本'],
    ['file:///a/./b/../c', '/a/c'],
    ['file:///a/%2e%2e/b', '/b'],
    ['file://localhost/tmp', '/tmp'],
    ['FILE:///tmp', '/tmp'],
    ['file:///100%25', '/100%'],
  ])('is converted from %s to the path %s', (uri, path) => {
    expect(pathFromUri(uri)).toBe(path);
  });

  it.each([
    ['/tmp', /not a file URI/],
    ['', /not a file URI/],
    ['http://localhost/tmp', /the URI scheme must be "file", not "http"/],
    ['file://otherhost/tmp', /not a file URI on this host/],
    ['file:///a%2Fb', /not a file URI on this host/],
    ['file:///a%00b', /NUL byte/],
    ['file:///%FF', /not a file URI on this host/],
  ])('is refused: %s', (uri, message) => {
    expect(() => pathFromUri(uri)).toThrow(message);
  });

  it.each(['/', '/tmp', '/a b', '/größer/日本', '/100%', '/a?b#c', '/a\\b', '/trailing/'])(
    'is converted back to the same path: %s',
    (path) => {
      expect(pathFromUri(uriFromPath(path))).toBe(path);
    },
  );
});
