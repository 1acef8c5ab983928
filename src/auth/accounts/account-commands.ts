import { command, type Document, type Transaction } from '../../resource/command.ts'
import type { Written } from '../../resource/plain-commands.ts'
import { Problem } from '../../resource/problem.ts'
import { keepName } from '../keep-name.ts'
import { type Account, type AccountLanguage, account } from '../resources/account.ts'
import { boundByMaker } from '../rights/made-rights.ts'
import { rightIsDecided } from '../rights/right-to-confirm.ts'
import { type Role, scopesHeld } from '../roles.ts'
import { grants, wordsIn } from '../scopes.ts'
import { endSessionsOf } from '../sessions/session-commands.ts'

export interface NewAccount {
  name: string
  role: Role
  scopes?: string[]
  language?: AccountLanguage
  disabled?: boolean
  /** The mark of the one-time code. */
  code?: string
  codeEndsAt?: number
}

/** The command that makes an account. The person sets password and passcode with the one-time code. */
export const createAccount = command('account/create', (tx, input: NewAccount): Document => {
  const { id } = tx.insert(account, input)
  return tx.document(account, id)
})

interface FirstAccount {
  name: string
  language?: AccountLanguage
  /** Hashed. */
  password: string
  passcode: string | null
}

/** The command that makes the first administrator. Throws already-claimed when there is any account. */
export const claimHouse = command('account/claim', (tx, { passcode, ...input }: FirstAccount): Document => {
  if (tx.count('SELECT count(*) FROM account') > 0) throw alreadyClaimed()
  const { id } = tx.insert(account, {
    ...input,
    role: 'admin',
    passwordSetAt: tx.now,
    ...(passcode !== null && { passcode, passcodeSetAt: tx.now }),
  })
  return tx.document(account, id)
})

/** The refusal to claim an appliance that has an owner. */
export function alreadyClaimed(): Problem {
  const detail = 'The appliance has an owner. An administrator adds further accounts.'
  return new Problem('already-claimed', detail)
}

interface Change {
  id: string
  revision?: number | undefined
  attributes: Partial<NewAccount>
}

/**
 * The command that changes an account. What it made is bounded by the rights that it has now. Its sessions end when it is
 * disabled, and when it gains a right: a session that was begun with a passcode must not have the rights of a sign-in with
 * the password. Throws last-administrator, and own-account when a person disables the own one.
 */
export const changeAccount = command(
  'account/change',
  (tx, { id, revision, attributes }: Change): Written => {
    tx.expectRevision(account, { id, revision })
    const before = tx.find(account, id)
    const after = tx.patch(account, id, attributes)
    rightIsDecided(tx, before.id)
    boundByMaker(tx, before.id, after.disabled ? null : scopesHeld(after))
    expectAdministrator(tx, before)
    if (after.disabled && tx.actor.by === before.id) throw ownAccount()
    if (after.disabled || gains(before, after))
      endSessionsOf(tx, { of: 'accountId', id, reason: 'account-changed' })
    return { id, revision: after.revision }
  },
)

/**
 * The command that deletes an account with its sessions. What it made is refused. Its name is kept for the audit of its
 * earlier changes. Throws last-administrator.
 */
export const removeAccount = command(
  'account/remove',
  (tx, { id, revision }: Pick<Change, 'id' | 'revision'>): null => {
    tx.expectRevision(account, { id, revision })
    const before = tx.find(account, id)
    endSessionsOf(tx, { of: 'accountId', id: before.id, reason: 'account-changed' })
    tx.remove(account, id)
    boundByMaker(tx, before.id, null)
    rightIsDecided(tx, before.id)
    keepName(tx, before)
    expectAdministrator(tx, before)
    return null
  },
)

function gains(before: Account, after: Account): boolean {
  const had = scopesHeld(before)
  return scopesHeld(after)
    .flatMap(wordsIn)
    .some((scope) => !grants(had, scope))
}

interface Reset extends Pick<Change, 'id' | 'revision'> {
  /** The mark of the one-time code. */
  code: string
  codeEndsAt: number
}

/**
 * The command that removes password and passcode of an account and ends its sessions. The person sets new ones with the
 * one-time code.
 */
export const resetAccount = command('account/reset', (tx, { id, revision, ...code }: Reset): Document => {
  tx.expectRevision(account, { id, revision })
  const gone = { password: null, passcode: null, passwordSetAt: null, passcodeSetAt: null }
  tx.patch(account, id, { ...gone, ...code })
  rightIsDecided(tx, id)
  endSessionsOf(tx, { of: 'accountId', id, reason: 'account-changed' })
  return tx.document(account, id)
})

interface NewSecrets {
  id: string
  /** Hashed; null leaves the stored one. */
  password: string | null
  passcode: string | null
  /**
   * The mark of the one-time code that authorises this change and is used up by it; null for a change by the signed-in
   * person.
   */
  code: string | null
  /** The caller's session, which continues. */
  session?: string | undefined
}

/** The command that sets the secrets of an account. Its other sessions end. Throws unauthenticated for a used code. */
export const setSecrets = command(
  'account/set-secrets',
  (tx, { id, password, passcode, code, session }: NewSecrets): null => {
    if (code !== null && tx.find(account, id).code !== code)
      throw new Problem('unauthenticated', 'The one-time code was used already.')
    tx.patch(account, id, {
      ...(password !== null && { password, passwordSetAt: tx.now }),
      ...(passcode !== null && { passcode, passcodeSetAt: tx.now }),
      ...(code !== null && { code: null, codeEndsAt: null }),
    })
    endSessionsOf(tx, { of: 'accountId', id, reason: 'account-changed', except: session })
    return null
  },
)

/**
 * Throws last-administrator when no enabled administrator would be left. `before` is the account before the change. If
 * this account has a password, another administrator with a password must remain: an administrator who has only a
 * one-time code does not count, because the code expires.
 */
function expectAdministrator(tx: Transaction, before: Account): void {
  if (before.role !== 'admin' || before.disabled) return
  const able = before.password ? 'AND password IS NOT NULL' : ''
  if (tx.count(`SELECT count(*) FROM account WHERE role = 'admin' AND disabled IS NOT 1 ${able}`) > 0) return
  const detail =
    'This is the only administrator who can sign in. Make another one first, who sets a password with the one-time code.'
  throw new Problem('last-administrator', detail)
}

function ownAccount(): Problem {
  const detail =
    'This is your own account. Disabling it would sign you out at once, and you could not sign in again. Another administrator can disable it.'
  return new Problem('own-account', detail)
}

export const accountCommands = [
  createAccount,
  claimHouse,
  changeAccount,
  removeAccount,
  resetAccount,
  setSecrets,
]
