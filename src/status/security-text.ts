import { type Answer, type Request, type Route, routesAt } from '../jsonapi/route.ts'

const day = 86_400_000
/** The file is made anew with each request, so its end is always this far. RFC 9116 advises less than a year. */
const validForMs = 180 * day

/** Returns the route of `/.well-known/security.txt` (RFC 9116). `contact` is a URI from the settings; null names the page of the handbook. */
export function securityTextRoute(contact: string | null, now: () => number): Route {
  function text({ header, message }: Request): Answer {
    const base = baseOf(header('host'), 'encrypted' in message.socket)
    const page = `${base}/handbook/security`
    const expires = new Date(Math.ceil((now() + validForMs) / day) * day).toISOString()
    const lines = [
      `Contact: ${contact ?? page}`,
      `Expires: ${expires}`,
      `Policy: ${page}`,
      'Preferred-Languages: en, de',
      `Canonical: ${base}/.well-known/security.txt`,
    ]
    return { status: 200, text: `${lines.join('\n')}\n`, type: 'text/plain; charset=utf-8' }
  }
  return {
    ...routesAt('')('GET', '.well-known/security.txt', null, description, text),
    quota: 'file',
  }
}

/** The address as the client wrote it; one that is no host is not repeated. */
function baseOf(host: string, isSecured: boolean): string {
  const shown = /^[\w.-]{1,253}(:\d{1,5})?$|^\[[\da-f:.]{2,45}\](:\d{1,5})?$/i.test(host) ? host : 'localhost'
  return `${isSecured ? 'https' : 'http'}://${shown}`
}

const description = {
  id: 'readSecurityText',
  summary: 'Read whom to tell of a weakness (RFC 9116)',
  answers: { 200: { schema: { type: 'string' }, type: 'text/plain' } },
} as const
