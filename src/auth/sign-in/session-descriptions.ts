import { type Description, exactly, listOf } from '../../jsonapi/description.ts'
import { stateSchema } from './session-state.ts'

const state = { 200: { schema: stateSchema } }
const begun = { 201: { schema: stateSchema } }
const cookie =
  'The cookie is `__Host-np` over TLS, and `np` on plain HTTP from this machine. It is accepted instead of a bearer token by every operation. The page of a kiosk sends `X-Kiosk: true`: its cookie is `__Host-np-kiosk`, or `np-kiosk`, so that it and the staff of the same browser have a session each.'
const password = { account: 'Ana', password: 'four words of no song' }

/** The schema of the people at a station. */
const peopleSchema = listOf(
  'person',
  exactly({
    name: { type: 'string' },
    passcodeSignsIn: {
      type: 'boolean',
      description: 'Whether the passcode signs this person in here. Otherwise ask for the password.',
    },
  }),
)

export const says = {
  read: {
    id: 'getSession',
    summary: 'Read the session of this browser',
    notes:
      'It is there without a session too, and says whether the appliance has an owner. Reading it is no use of the session. A page sends `X-Unattended: true` with requests that nobody at the screen has caused, so that these do not keep the session from being locked.',
    answers: state,
    problems: ['unknown-parameter'],
  },
  signIn: {
    id: 'signIn',
    summary: 'Sign in',
    notes: `With the password, or with the passcode of six digits at an enrolled station. ${cookie} A session that the browser had before ends. After five wrong secrets for an account at a place, the next attempt must wait 30 s, and twice as long each time, up to 15 minutes.`,
    body: { schema: {}, example: password },
    answers: begun,
    problems: ['unauthenticated', 'cross-origin', 'station-required', 'unknown-parameter'],
  },
  switch: {
    id: 'switchAccount',
    summary: 'Go on as another person at this station',
    notes: 'As signing in at a station: the session of the person before ends.',
    body: { schema: {}, example: { account: 'Ben', passcode: '482615' } },
    answers: begun,
    problems: ['unauthenticated', 'cross-origin', 'station-required', 'unknown-parameter'],
  },
  lock: {
    id: 'lockSession',
    summary: 'Lock the session of this browser',
    notes: 'A kiosk is not locked.',
    answers: state,
    problems: ['unauthenticated', 'cross-origin', 'unknown-parameter'],
  },
  unlock: {
    id: 'unlockSession',
    summary: 'Unlock the session of this browser',
    notes: 'With the secret of its own person. The session gets a new cookie.',
    body: { schema: {}, example: { passcode: '482615' } },
    answers: state,
    problems: ['unauthenticated', 'cross-origin', 'station-required', 'unknown-parameter'],
  },
  reauthenticate: {
    id: 'reauthenticate',
    summary: 'Enter the password again, for an operation that asks for it',
    notes:
      'Operations that are refused with `reauthentication-required` are possible for five minutes then. The session gets a new cookie.',
    body: { schema: {}, example: { password: password.password } },
    answers: state,
    problems: ['unauthenticated', 'cross-origin', 'station-required', 'unknown-parameter'],
  },
  signOut: {
    id: 'signOut',
    summary: 'Sign out',
    notes: 'Nothing happens without a session.',
    answers: { 204: {} },
    problems: ['cross-origin', 'unknown-parameter'],
  },
  redeem: {
    id: 'redeemCode',
    summary: 'Set the secrets of a new or reset account with its one-time code, and sign in',
    notes:
      'A password is needed, except at an enrolled station for an account that may use a passcode. A password has at least 15 characters. One that is easily guessed is refused.',
    body: { schema: {}, example: { account: 'Ana', code: 'K7QF9-M2PTX', newPasscode: '482615' } },
    answers: begun,
    problems: ['unauthenticated', 'cross-origin', 'not-found', 'station-required', 'unknown-parameter'],
  },
  changeSecrets: {
    id: 'changeSecrets',
    summary: 'Set a new password or passcode of the own account',
    notes: 'The other sessions of the account end.',
    body: { schema: {}, example: { password: password.password, newPasscode: '482615' } },
    answers: state,
    problems: ['unauthenticated', 'cross-origin', 'session-locked', 'station-required', 'unknown-parameter'],
  },
  claim: {
    id: 'claim',
    summary: 'Make the first administrator of a new appliance, with its pairing code, and sign in',
    notes: 'The browser becomes a station.',
    body: { schema: {}, example: { code: '1234 5678', name: 'Ida', password: password.password } },
    answers: begun,
    problems: ['unauthenticated', 'cross-origin', 'already-claimed', 'station-required', 'unknown-parameter'],
  },
  startDemo: {
    id: 'startDemo',
    summary: 'Sign in as the staff of the sample property, on its own machine',
    notes:
      'Ana (front desk), Ben (housekeeping) or Ida (administrator); with `kiosk`, as a kiosk. The browser becomes a station. The passcode of the demo staff is 482615.',
    body: { schema: {}, optional: true, example: { account: 'Ana' } },
    answers: begun,
    problems: ['unauthenticated', 'cross-origin', 'not-found', 'station-required', 'unknown-parameter'],
  },
  enrol: {
    id: 'enrolStation',
    summary: 'Make this browser a station',
    notes:
      'With an enrolment code, or with a name by somebody who is signed in and has `config.write`. The browser keeps a cookie of its own, `__Host-np-station` over TLS and `np-station` on plain HTTP from this machine. The sessions of people in this browser end.',
    body: { schema: {}, example: { code: '1234 5678' } },
    answers: state,
    problems: ['unauthenticated', 'cross-origin', 'session-locked', 'scope-required', 'unknown-parameter'],
  },
  startKiosk: {
    id: 'startKiosk',
    summary: 'Begin the session of a kiosk',
    notes:
      'At a station of the kind `kiosk`. The sessions of people in this browser end. The session has the role `kiosk`, is not locked, and ends when it or the station is revoked.',
    answers: begun,
    problems: ['cross-origin', 'station-required', 'unknown-parameter'],
  },
  people: {
    id: 'listPeople',
    summary: 'List the people who may sign in at this station',
    answers: { 200: { schema: peopleSchema } },
    problems: ['station-required', 'unknown-parameter'],
  },
} satisfies Record<string, Description>
