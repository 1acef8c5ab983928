import { texts } from '../../resource/compound.ts'
import { flag, instant, oneOf, text } from '../../resource/fields.ts'
import { Problem } from '../../resource/problem.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { roles, scopesHeld } from '../roles.ts'
import { grants, type Scope } from '../scopes.ts'

/** The languages of the pages. */
export const accountLanguages = ['en', 'de', 'es', 'fr', 'pt'] as const
export type AccountLanguage = (typeof accountLanguages)[number]

/**
 * A member of the staff, who signs in with a password or, at an enrolled station, with a passcode. The store contains
 * only the hashes of both.
 */
export const account = resource('account', {
  base: '/api/config/v1',
  path: 'accounts',
  example: { name: 'Rosa', role: 'frontdesk' },
  scopes: { read: 'accounts.read', write: 'accounts.write' },
  operations: ['list', 'read'],
  problems: ['last-administrator', 'own-account'],
  fields: {
    name: text({ required: true, max: 60, note: 'Unique; upper and lower case are the same.' }),
    role: oneOf(roles, { required: true }),
    scopes: texts({ note: 'Scopes in addition to those of the role.' }),
    language: oneOf(accountLanguages, { default: 'en' }),
    disabled: flag({ default: false, note: 'A disabled account cannot sign in, and has no session.' }),
    passwordSetAt: instant({ readOnly: true, note: 'Since when the account has its password.' }),
    passcodeSetAt: instant({ readOnly: true, note: 'Since when the account has its passcode.' }),
    codeEndsAt: instant({
      readOnly: true,
      note: 'Until when the one-time code of a new or reset account is valid; null without a code.',
    }),
    /** The name in the form in which names are compared. */
    nameKey: text({ hidden: true, readOnly: true, unique: true, filterable: false }),
    password: text({ hidden: true, readOnly: true, filterable: false }),
    passcode: text({ hidden: true, readOnly: true, filterable: false }),
    /** The mark of the one-time code. Without the key of the appliance, the mark cannot be computed from the code. */
    code: text({ hidden: true, readOnly: true, filterable: false }),
  },
  rules: {
    write: [
      ({ tx, id, after }) => {
        after.nameKey = nameKeyOf(after.name)
        const [other] = tx.select(account, [{ path: 'nameKey', operator: 'eq', value: after.nameKey }], [], 1)
        if (other && other.id !== id)
          throw new Problem('validation-failed', `Another account has the name ${other.name}.`, {
            pointer: '/name',
          })
      },
    ],
  },
})

export type Account = Row<typeof account.fields>

/** Returns the form of a name in which two names of the same account are equal. */
export function nameKeyOf(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase()
}

/** The scopes with which an account can change who may do what, or how the property is set up. */
const powers: readonly Scope[] = ['config.write', 'accounts.write', 'tokens.write', 'backups.write']

/**
 * Whether an account signs in with its password everywhere, as the administrator and the installer do: its passcode only
 * unlocks a session that was begun with the password.
 */
export function needsPassword(holder: Pick<Account, 'role' | 'scopes'>): boolean {
  const held = scopesHeld(holder)
  return powers.some((scope) => grants(held, scope))
}
