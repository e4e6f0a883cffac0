// Folders that hold what programs made or fetched: passed over, unless somebody names them.

const VENDOR = new Set([
  ...[".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache", ".pytest_cache"],
  ...[".ruff_cache", "dist", "build", "target", ".next", ".nuxt", ".cache", ".gradle", ".idea", "coverage"],
]);

/** All of them, without those that stand in the pattern or path. */
export function vendorUnlessNamed(...named: readonly string[]): ReadonlySet<string> {
  const passed = new Set(VENDOR);
  for (const name of named.flatMap(toNames)) passed.delete(name);
  return passed;
}

export function namesVendor(pattern: string): boolean {
  return toNames(pattern).some((name) => VENDOR.has(name));
}

/** Segments of a path, and of a pattern those in braces. */
function toNames(pattern: string): string[] {
  return pattern.split(/[/\\{},()|]+/);
}
