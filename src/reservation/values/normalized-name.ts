/**
 * Returns a name in capital letters A to Z, digits, spaces, hyphens, apostrophes and full stops, for card printers and
 * lock servers that accept only these. Accents are dropped, letters such as Æ or ß are spelled out, and Greek and
 * Cyrillic are transliterated. Returns an empty string for a name in any other script.
 */
export function normalizedName(...parts: (string | null | undefined)[]): string {
  return parts
    .filter((part) => part !== null && part !== undefined)
    .map((part) => capitals(part))
    .join(' ')
    .replace(/ +/g, ' ')
    .trim()
}

function capitals(text: string): string {
  if (/^[A-Za-z\d '.-]*$/.test(text)) return text.toUpperCase()
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().replace(/ΟΥ/g, 'OU')
  return Array.from(bare, (letter) => spellings.get(letter) ?? letter)
    .join('')
    .replace(/[^A-Z0-9 '.-]/g, '')
}

const spellings = new Map([
  ...pairs('Æ AE Œ OE Ø O Đ D Ð D Þ TH Ł L Ħ H Ŋ NG Ŧ T Ə E ẞ SS'),
  ...pairs('А A Б B В V Г G Ґ G Д D Е E Є IE Ж ZH З Z И I І I К K Л L М M Н N О O П P Р R С S Т T У U'),
  ...pairs('Ф F Х KH Ц TS Ч CH Ш SH Щ SHCH Ъ IE Ы Y Э E Ю IU Я IA Ђ D Ј J Љ LJ Њ NJ Ћ C Џ DZ Ѕ DZ'),
  ...pairs(
    'Α A Β V Γ G Δ D Ε E Ζ Z Η I Θ TH Ι I Κ K Λ L Μ M Ν N Ξ X Ο O Π P Ρ R Σ S Τ T Υ Y Φ F Χ CH Ψ PS Ω O',
  ),
  ...pairs("’ ' ‘ ' ʼ ' ` ' ‐ - ‑ - – - — -"),
  ['Ь', ''],
  ['\t', ' '],
])

/** Pairs: a letter, its spelling, the next letter, its spelling, … */
function pairs(list: string): [string, string][] {
  const words = list.split(' ')
  return words.flatMap((letter, at) =>
    at % 2 === 0 ? [[letter, words[at + 1] ?? ''] as [string, string]] : [],
  )
}
