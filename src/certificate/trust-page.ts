import { renderSVG } from 'uqr'
import type { Language } from '../jsonapi/locales/language.ts'
import { languages } from '../jsonapi/locales/language.ts'
import { inGroups } from './fingerprint.ts'
import texts from './locales/trust.json' with { type: 'json' }

interface TrustFacts {
  /** The authority of the box, when its certificate is in use; otherwise the issuer of the certificate. */
  authority: { fingerprint: string; endsAt: Date; names: readonly string[] } | null
  issuer: string
  /** The addresses of this page for other devices; the QR code has the first. */
  urls: readonly string[]
}

const languageNames = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', pt: 'Português' }

/** Returns the HTML document that explains how to trust the box. It has no scripts. */
export function trustHtml(language: Language, { authority, issuer, urls }: TrustFacts): string {
  const words = texts[language]
  const main = authority
    ? withAuthority(language, authority, urls)
    : `<p>${filled(words.outside, { issuer: issuer.replaceAll('\n', ', ') })}</p>`
  const others = languages.map((each) =>
    each === language
      ? languageNames[each]
      : `<a href="/trust?language=${each}" lang="${each}">${languageNames[each]}</a>`,
  )
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(words.title)} - nightporter</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/handbook/handbook.css">
</head>
<body>
<nav>${others.join(' ')}</nav>
<main>
<h1>${escaped(words.title)}</h1>
${main}
</main>
</body>
</html>
`
}

function withAuthority(
  language: Language,
  authority: NonNullable<TrustFacts['authority']>,
  urls: readonly string[],
): string {
  const words = texts[language]
  const until = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    authority.endsAt,
  )
  const platforms = Object.entries(words.platforms).map(
    ([name, steps]) =>
      `<h2>${escaped(name)}</h2>\n<ol>\n${steps.map((step) => `<li>${escaped(step)}</li>`).join('\n')}\n</ol>`,
  )
  return `<p>${escaped(words.intro)}</p>
<p>${escaped(words.compare)}</p>
<pre><code>${inGroups(authority.fingerprint)}</code></pre>
<p><a href="/ca.crt">${escaped(words.download)}</a> (<a href="/ca.pem">${escaped(words.pem)}</a>)</p>
${elsewhere(words, urls)}
<p>${filled(words.limits, { until, names: authority.names.join(', ') })}</p>
${platforms.join('\n')}`
}

/** Where another device opens the page. */
function elsewhere(words: { qr: string; nowhere: string }, urls: readonly string[]): string {
  const [first] = urls
  if (first === undefined) return `<p>${escaped(words.nowhere)}</p>`
  const links = urls.map((url) => `<br><a href="${escaped(url)}">${escaped(url)}</a>`)
  return `<p>${escaped(words.qr)}${links.join('')}</p>\n${qrCode(first)}`
}

/** Black on white in dark mode too, with the quiet zone that readers of the code need. */
function qrCode(url: string): string {
  const svg = renderSVG(url, { border: 4, pixelSize: 6, ecc: 'M' })
  return svg.replace('<svg ', `<svg role="img" aria-label="${escaped(url)}" width="240" height="240" `)
}

function filled(text: string, values: Record<string, string>): string {
  return escaped(text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? ''))
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
