import { uuidPattern } from '../../resource/fields.ts'
import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import { networkOf } from '../network.ts'
import { type Account, account, nameKeyOf, needsPassword } from '../resources/account.ts'
import type { Station } from '../resources/station.ts'
import type { SessionDesk } from '../sessions/session-context.ts'

/** The secret that a person has entered. */
export interface Entered {
  password?: string
  passcode?: string
}

export const enteredProperties = {
  password: { type: 'string', minLength: 1, maxLength: 128 },
  passcode: { type: 'string', minLength: 1, maxLength: 20 },
}

/** Where a secret was entered. */
export interface Place {
  /** A passcode is not accepted at a kiosk, because bystanders can see the entry. */
  station: Station | null
  address: string
  /** Whether the request comes from the machine of the sample property. */
  isDemo: boolean
}

/** Returns the account with an id or a name; null for an unknown or disabled one. */
export function accountNamed(reader: Pick<Reader, 'row' | 'rows'>, named: string): Account | null {
  const filters = [{ path: 'nameKey', operator: 'eq' as const, value: nameKeyOf(named) }]
  const found = uuidPattern.test(named)
    ? reader.row(account, named)
    : reader.rows(account, { filters, sort: [], page: { size: 1 } })[0]
  return found && !found.disabled ? found : null
}

/** Runs work as one attempt at an account from a place. Throws rate-limited while the place must wait. */
export async function attempt<T>(
  { limit }: SessionDesk,
  { named, isStranger = false }: { named: string; isStranger?: boolean },
  { station, address }: Place,
  work: () => Promise<T>,
): Promise<T> {
  const key = `${named.slice(0, 60)} ${station?.id ?? networkOf(address)}`
  const takeBack = limit.begin(key, isStranger)
  try {
    const done = await work()
    limit.succeeded(key)
    return done
  } catch (error) {
    // Too many sign-ins were waiting, so the secret was not checked.
    if (error instanceof Problem && error.status === 503) takeBack()
    throw error
  }
}

/**
 * Checks the password, or the passcode at a station. With `unlocks`, the passcode is enough for an account that needs its
 * password otherwise. Throws unauthenticated for a wrong one, and rate-limited after five wrong ones.
 */
export async function expectSecret(
  desk: SessionDesk,
  { who, named, place, entered }: { who: Account | null; named: string; place: Place; entered: Entered },
  { unlocks = false } = {},
): Promise<Account> {
  if (entered.password === undefined) expectPasscodePlace(place)
  return attempt(desk, attempted(who, named), place, async () => {
    const { password, passcode = '' } = entered
    if (who && place.isDemo && isDemoSecret(who, passcode)) return who
    const isRight =
      password !== undefined
        ? await desk.hash.matches(who?.password, password)
        : await desk.hash.matches(who?.passcode, passcode)
    if (!who || !isRight) throw wrongSecret()
    if (password === undefined && !unlocks && needsPassword(who))
      throw new Problem('unauthenticated', 'This account signs in with its password.', {
        pointer: '/password',
        meta: { reason: 'password-required' },
      })
    return who
  })
}

/** Returns the key under which attempts are counted: the account's id, or the entered name marked as a stranger's. */
export function attempted(who: Account | null, named: string) {
  return { named: who?.id ?? nameKeyOf(named), isStranger: who === null }
}

/** The passcode of the demo staff. It is compared here and never stored, so it works only in the sample property. */
const demoPasscode = '482615'

function isDemoSecret(who: Account, passcode: string): boolean {
  return isWithoutSecret(who) && passcode === demoPasscode
}

/** Whether an account has no secret of its own, as the demo staff. */
const isWithoutSecret = ({ passwordSetAt, passcodeSetAt }: Account) => !passwordSetAt && !passcodeSetAt

/**
 * Whether the passcode of an account is enough at a place, by the rules of `expectSecret`; false where the account has none.
 * With `unlocks`, for an account that needs its password otherwise.
 */
export function isPasscodeEnough(
  who: Account | null,
  { station, isDemo }: Pick<Place, 'station' | 'isDemo'>,
  { unlocks = false } = {},
): boolean {
  if (who === null || !isPasscodePlace(station)) return false
  if (isDemo && isWithoutSecret(who)) return true
  return Boolean(who.passcodeSetAt) && (unlocks || !needsPassword(who))
}

const isPasscodePlace = (station: Place['station']) => station !== null && station.kind !== 'kiosk'

/** Throws station-required at a place where passcodes are not accepted. */
function expectPasscodePlace({ station }: Place): void {
  if (isPasscodePlace(station)) return
  throw new Problem(
    'station-required',
    'A passcode counts only at an enrolled station. Sign in with the password here.',
  )
}

function wrongSecret(): Problem {
  return new Problem('unauthenticated', 'The account or the secret is wrong.', { pointer: '/password' })
}
