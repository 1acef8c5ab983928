/** A version such as `0.7.0`, or `0.7.0-beta.2` before it. */
export const versionForm = /^(\d{1,5})\.(\d{1,5})\.(\d{1,5})(?:-([a-z]{1,10})\.(\d{1,5}))?$/

/**
 * Compares two versions: negative when `one` is older, 0 when they are equal. `0.7.0-beta.2` is older than `0.7.0`. A text that
 * is no version is older than every version.
 */
export function compareVersions(one: string, other: string): number {
  const [mine, theirs] = [partsOf(one), partsOf(other)]
  const at = mine.findIndex((part, index) => part !== theirs[index])
  if (at < 0) return 0
  return mine[at]! < theirs[at]! ? -1 : 1
}

/** The parts of a version in order of significance. A version without a pre-release word sorts after all with one. */
function partsOf(version: string): (number | string)[] {
  const [, major, minor, patch, word, number] = versionForm.exec(version) ?? []
  if (major === undefined) return [-1, 0, 0, '', 0]
  return [Number(major), Number(minor), Number(patch), word ?? '~', Number(number ?? 0)]
}
