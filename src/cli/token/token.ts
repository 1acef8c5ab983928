import { type Client, type Item, itemsOf } from '../client.ts'

interface Token {
  name: string
  role: string
  scopes: string[] | null
  expiresAt: string | null
  lastUsedAt: string | null
  previousUntil: string | null
}

const path = '/api/config/v1/tokens'

/** Creates a token and prints it once, alone on standard output. */
export async function createToken(
  ask: Client,
  name: string,
  { role, scope = [], expires }: { role: string; scope?: string[]; expires?: string },
): Promise<void> {
  const attributes = { name, role, scopes: scope, ...(expires && { expiresAt: expires }) }
  show(await ask<Made>('POST', path, { body: { data: { type: 'token', attributes } } }))
}

/** Exchanges the pairing code of the first start for an administrator's token, and prints it. */
export async function pairToken(ask: Client, code: string, { name }: { name: string }): Promise<void> {
  const body = { code: code.replace(/[\s-]/g, ''), name }
  show(await ask<Made>('POST', '/api/config/v1/pairing', { body }))
}

interface Made {
  data: Item<Token>
  meta: { token: string }
}

function show({ body: { data, meta } }: { body: Made }): void {
  console.error(
    `Token ${data.id} (${data.attributes.name}, ${data.attributes.role}). The token is not shown again:`,
  )
  console.log(meta.token)
}

/** Rotates a token and prints the new one, alone on standard output. The old token stays valid for 24 hours. */
export async function rotateToken(ask: Client, id: string): Promise<void> {
  const { body } = await ask<Made>('POST', `${path}/${encodeURIComponent(id)}/actions/rotate`)
  const { name, role, previousUntil } = body.data.attributes
  console.error(
    `Token ${id} (${name}, ${role}): the old token stays valid until ${previousUntil}. The new token is not shown again:`,
  )
  console.log(body.meta.token)
}

/** Prints one line per token: id, role, when it expires, when it was last used, name. */
export async function listTokens(ask: Client): Promise<void> {
  for await (const { id, attributes } of itemsOf<Token>(ask, `${path}?page[size]=100`)) {
    const { name, role, scopes, expiresAt, lastUsedAt } = attributes
    const rights = [role, ...(scopes ?? [])].join(',')
    console.log([id, rights, expiresAt ?? 'never expires', lastUsedAt ?? 'never used', name].join('\t'))
  }
}

/** Revokes a token. It is invalid as soon as the appliance has answered. */
export async function revokeToken(ask: Client, id: string): Promise<void> {
  await ask('DELETE', `${path}/${encodeURIComponent(id)}`)
  console.log(`Token ${id} is revoked.`)
}
