const written: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** Letters without accents, in lower case, as names are searched. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * Returns the ways in which a name may be stored, in the form of a search: as typed; with `ae`, `oe` and `ue` for typed
 * umlauts; and without the `e` where two letters may stand for an umlaut. So "Mueller" finds Müller, and "Müller" finds
 * Mueller. Only such a name needs a second search.
 */
export function nameVariants(typed: string): string[] {
  const spelled = typed
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöü]/g, (letter) => written[letter] ?? letter)
  return [...new Set([plain(typed), plain(spelled), plain(typed).replace(/([aou])e/g, '$1')])]
}
