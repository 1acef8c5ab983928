import { type Client, type Item, itemsOf } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'

interface AccountAttributes {
  name: string
  role: string
  scopes: string[] | null
  language: string | null
  disabled: boolean | null
  passwordSetAt: string | null
  passcodeSetAt: string | null
}

const path = '/api/config/v1/accounts'

interface Made {
  data: Item<AccountAttributes>
  meta: { code: string; codeEndsAt: string }
}

interface NewPerson {
  role: string
  scope?: string[]
  language?: string
}

/** Adds a person and prints the one-time code, alone on standard output. */
export async function addAccount(
  ask: Client,
  name: string,
  { role, scope = [], language }: NewPerson,
): Promise<void> {
  const attributes = { name, role, scopes: scope, ...(language && { language }) }
  show(await ask<Made>('POST', path, { body: { data: { type: 'account', attributes } } }))
}

/** Takes the secrets of an account away, and prints the one-time code for new ones, alone on standard output. */
export async function resetAccount(ask: Client, named: string): Promise<void> {
  const { id } = await found(ask, named)
  show(await ask<Made>('POST', `${path}/${id}/actions/reset`))
}

function show({ body: { data, meta } }: { body: Made }): void {
  console.error(
    `Account ${data.id} (${data.attributes.name}, ${data.attributes.role}). The person sets password and passcode with this code until ${meta.codeEndsAt}. It is not shown again:`,
  )
  console.log(meta.code)
}

/** Prints one line per account: id, role, state, language, name. */
export async function listAccounts(ask: Client): Promise<void> {
  for await (const { id, attributes } of itemsOf<AccountAttributes>(ask, `${path}?page[size]=100`)) {
    const { name, role, scopes, language } = attributes
    const rights = [role, ...(scopes ?? [])].join(',')
    console.log([id, rights, stateOf(attributes), language ?? 'en', name].join('\t'))
  }
}

function stateOf({ disabled, passwordSetAt, passcodeSetAt }: AccountAttributes): string {
  if (disabled) return 'disabled'
  return passwordSetAt || passcodeSetAt ? 'in use' : 'waits for its code'
}

/** Disables an account, which ends its sessions, or enables it again. */
export async function disableAccount(ask: Client, named: string, disabled: boolean): Promise<void> {
  const { id, attributes } = await found(ask, named)
  await ask('PATCH', `${path}/${id}`, { body: { disabled } })
  console.log(`Account ${id} (${attributes.name}) is ${disabled ? 'disabled' : 'enabled'}.`)
}

/** Returns the account with an id or a name. Throws CommandFailed for an unknown one. */
async function found(ask: Client, named: string): Promise<Item<AccountAttributes>> {
  for await (const each of itemsOf<AccountAttributes>(ask, `${path}?page[size]=100`))
    if (each.id === named || each.attributes.name.toLowerCase() === named.toLowerCase()) return each
  throw new CommandFailed('missing', `There is no account ${named}. "nightporter account list" shows all.`)
}
