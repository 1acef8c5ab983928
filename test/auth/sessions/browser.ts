import { type AskOptions, askAt, type Reply, type TestAppliance } from '../../appliance.ts'
import { expectDocumented } from '../../documented.ts'

/** A browser with its cookies, which asks as the pages of the appliance do. */
export interface Browser {
  cookies: Map<string, string>
  /** The values of Set-Cookie of the last answer. */
  setCookies: string[]
  ask(method: string, path: string, options?: AskOptions): Promise<Reply>
  get(path: string): Promise<Reply>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Does one of the actions of its session. */
  act(action: string, body?: unknown): Promise<Reply>
  signIn(account: string, secret: { password?: string; passcode?: string }): Promise<Reply>
  session(): Promise<Reply['body']>
}

export const sessionPath = '/api/v2/session'

/** A browser that has never been at the appliance. */
export function browserAt(house: Pick<TestAppliance, 'appliance' | 'during'>): Browser {
  const browser: Browser = {
    cookies: new Map(),
    setCookies: [],
    async ask(method, path, { headers, ...options } = {}) {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const sent = {
        ...(cookie !== '' && { Cookie: cookie }),
        'Sec-Fetch-Site': 'same-origin',
        ...headers,
      }
      const reply = await house.during(
        askAt(house.appliance.url, method, path, { token: null, ...options, headers: sent }),
      )
      expectDocumented(house.appliance, method, path, reply)
      browser.setCookies = reply.headers.getSetCookie()
      for (const each of browser.setCookies) keep(browser.cookies, each)
      return reply
    },
    get: (path) => browser.ask('GET', path),
    post: (path, body, headers = {}) =>
      browser.ask('POST', path, { ...(body !== undefined && { body }), headers }),
    act: (action, body) => browser.post(`${sessionPath}/actions/${action}`, body),
    signIn: (account, secret) => browser.post(sessionPath, { account, ...secret }),
    async session() {
      return (await browser.get(sessionPath)).body.data
    },
  }
  return browser
}

function keep(cookies: Map<string, string>, header: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
  if (/Max-Age=0(;|$)/.test(header)) cookies.delete(name)
  else cookies.set(name, value)
}

/** The code of a refusal; undefined for success. */
export function codeOf({ body }: Reply): string | undefined {
  return body?.errors?.[0].code
}
