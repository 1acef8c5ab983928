import { countries } from '../../resource/values/country.ts'
import { presentCountry } from '../../resource/values/country-code.ts'
import { withoutAccents } from '../../resource/values/letters.ts'

/** The languages in which a country may be named, besides its own. */
const languages = ['en', 'de', 'de-AT', 'de-CH', 'fr', 'fr-CA', 'es', 'es-MX', 'pt', 'pt-PT', 'it', 'nl']

/** Writings that are well known, and are neither a code of ISO 3166-1 nor a name that `Intl` has. */
const wellKnown: Record<string, string> = {
  GB: 'U.K.; Great Britain; Großbritannien; Grande-Bretagne; Gran Bretaña; Grã-Bretanha; England; Scotland; Wales; Northern Ireland',
  US: 'U.S.; U.S.A.; EEUU; United States of America; Vereinigte Staaten von Amerika; États-Unis d’Amérique; Estados Unidos de América',
  NL: 'Holland; The Netherlands; Hollande; Holanda',
  CZ: 'Czech Republic; Tschechische Republik; République tchèque; República Checa; República Tcheca',
  TR: 'Turkey; Turquía; Republic of Türkiye',
  RU: 'Russian Federation; Russische Föderation; Fédération de Russie; Federación de Rusia; Federação Russa',
  KR: 'Republic of Korea; Korea, Republic of; Republik Korea; 한국',
  VN: 'Viet Nam',
  CI: 'Ivory Coast; Elfenbeinküste',
  IE: 'Republic of Ireland',
  BY: 'Weißrussland; Biélorussie',
  MK: 'Macedonia; Mazedonien; Macédoine',
  SZ: 'Swaziland; Swasiland',
  MM: 'Burma; Birma',
  XK: 'Kosovo; Kosova',
  VA: 'Vatican; Vatikan; Vaticano; Holy See',
  CN: 'People’s Republic of China; PR China; Volksrepublik China',
  MD: 'Republic of Moldova; Moldawien',
  IR: 'Islamic Republic of Iran',
  SY: 'Syrian Arab Republic',
  LA: 'Lao PDR; Lao People’s Democratic Republic',
  TZ: 'United Republic of Tanzania',
  BO: 'Plurinational State of Bolivia',
  VE: 'Bolivarian Republic of Venezuela',
}

/** Two countries have this name. */
const ambiguous = ['congo', 'korea']

/**
 * Returns the ISO 3166-1 alpha-2 code of a country: an alpha-2 or alpha-3 code in any case, a name in English, German,
 * French, Spanish or Portuguese or in a language of the country, or another well-known writing such as UK. Returns null
 * for any other text, also for the code of a former country that is several today.
 */
export function countryIn(text: string): string | null {
  return presentCountry(text) ?? names().get(folded(text)) ?? null
}

let byName: Map<string, string> | undefined

/** The codes by folded name, made when the first name is looked up. A name of two countries is left out. */
function names(): Map<string, string> {
  byName ??= allNames()
  return byName
}

function allNames(): Map<string, string> {
  const found = new Map<string, string>()
  const twice = new Set(ambiguous)
  const add = (name: string | undefined, code: string) => {
    for (const key of new Set(name === undefined ? [] : [folded(name), folded(withDigraphs(name))])) {
      if (key === '') continue
      if ((found.get(key) ?? code) !== code) twice.add(key)
      found.set(key, code)
    }
  }
  for (const language of languages)
    for (const style of ['long', 'short'] as const) {
      const display = new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' })
      for (const code of countries) {
        const name = display.of(code)
        // Short forms such as RU, which is Reino Unido in Spanish, are codes of other countries.
        if (name && (style === 'long' || name.replace(/[^\p{L}]/gu, '').length > 3)) add(name, code)
      }
    }
  for (const code of countries) {
    const own = new Intl.Locale(`und-${code}`).maximize()
    add(new Intl.DisplayNames(own, { type: 'region', fallback: 'none' }).of(code), code)
  }
  for (const [code, writings] of Object.entries(wellKnown))
    for (const writing of writings.split('; ')) add(writing, code)
  for (const name of twice) found.delete(name)
  return found
}

/** A name without accents, case and signs. */
function folded(name: string): string {
  return withoutAccents(name)
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .replace(/\bst(?= )/g, 'saint')
    .trim()
}

function withDigraphs(name: string): string {
  return name.normalize('NFC').replace(/[äöüÄÖÜ]/g, (letter) => `${letter.normalize('NFD')[0]}e`)
}
