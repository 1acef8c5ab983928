import { createHash } from 'node:crypto'
import { filesOf, importMap, type PageSet } from './ui-files.ts'

const titles: Record<PageSet, string> = { desk: 'Front desk', kiosk: 'Kiosk', setup: 'Setup' }

interface Page {
  text: string
  headers: Record<string, string>
}

/**
 * Returns the HTML of a page set. It shows the name of the page set until the script draws the page, which a slow
 * computer takes some time for. `built` is the folder of the built pages; null from source. The browser is asked not to translate
 * it: it has the five languages of its users.
 */
export function pageHtml(pages: PageSet, built: URL | null): Page {
  const { script, parts, style } = filesOf(pages, built)
  const preloads = parts.map((each) => `<link rel="modulepreload" href="/ui/${each}">\n`).join('')
  const map = built ? null : importMap()
  const text = `<!doctype html>
<html lang="en" translate="no">
<head>
<meta charset="utf-8">
<meta name="google" content="notranslate">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${titles[pages]} - nightporter</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/ui/${style}">
<script defer src="/ui/boot.js"></script>
${preloads}${map === null ? '' : `<script type="importmap">${map}</script>\n`}<script type="module" src="/ui/${script}"></script>
</head>
<body class="${pages}">
<div id="page"></div>
<p class="opening">nightporter</p>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`
  return { text, headers: { 'Content-Security-Policy': policy(map), ...otherHeaders } }
}

/** The page can load files, run scripts and connect only at this appliance, and no text can become a script. */
function policy(map: string | null): string {
  const hash = map === null ? '' : ` 'sha256-${createHash('sha256').update(map).digest('base64')}'`
  return [
    "default-src 'none'",
    `script-src 'self'${hash}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

const otherHeaders = {
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}
