import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Choice, Dialog, Field, notice } from '../lib/controls/controls.ts'
import { el, type View } from '../lib/controls/el.ts'
import { later } from '../lib/controls/later.ts'
import { goTo, place } from '../lib/controls/route.ts'
import { useTitle } from '../lib/controls/title.ts'
import { common } from '../lib/language/common-texts.ts'
import {
  changeLanguage,
  chooseLanguage,
  language,
  languageNames,
  languages,
} from '../lib/language/language.ts'
import { getList } from '../lib/server/api.ts'
import { useRead } from '../lib/server/read.ts'
import {
  act,
  asksAgain,
  demoStaff,
  failedToLeave,
  isClaimed,
  isDemo,
  session,
  signIn,
  signOut,
  startDemo,
  station,
} from '../lib/server/session.ts'
import { useAttempt } from './attempt.ts'
import { signInTexts } from './texts.ts'

const EnrolStation = later<{ cancel: () => void; scanned: string }>(
  async () => (await import('./with-code.ts')).EnrolStation,
)
const RedeemCode = later(async () => (await import('./with-code.ts')).RedeemCode)

interface Person {
  id: string
  name: string
  /** Otherwise the password is asked for first. */
  passcodeSignsIn: boolean
}

/** The sign-in page: the people of this station as tiles, or name and password. */
export function SignIn(): View {
  useTitle(signInTexts.value.signIn)
  // A kiosk shows no names of people.
  const isDesk = station.value !== null && station.value.kind !== 'kiosk'
  const people = useRead(isDesk && !isDemo.value ? 'people' : null, async () => {
    const { data } = await getList<Omit<Person, 'id'>>('/api/v2/session/people')
    return data.map(({ id, attributes }): Person => ({ id, ...attributes }))
  })
  const [person, setPerson] = useState<Person | null>(null)
  const [isOther, setOther] = useState(false)
  // The QR code of the set-up leads here, with the enrolment code.
  const isScanned = place.value.screen === 'enrol' && !station.value
  const [code, setCode] = useState<'person' | 'station' | null>(isScanned ? 'station' : null)
  const all = isDemo.value
    ? demoStaff.map((name): Person => ({ id: name, name, passcodeSignsIn: true }))
    : (people.data ?? [])
  const tiles = !isOther && all.length > 0 ? all : null
  const choose = (each: Person) => (isDemo.value ? void startDemo(each.name) : setPerson(each))
  if (code === 'person') return h(RedeemCode, { isAtStation: isDesk, cancel: () => setCode(null) })
  const leave = () => {
    if (isScanned) goTo('', [], true)
    setCode(null)
  }
  if (code === 'station')
    return h(EnrolStation, { cancel: leave, scanned: isScanned ? (place.value.parts[0] ?? '') : '' })
  return el.main(
    { class: 'sign-in' },
    el.h1(null, person?.name ?? (tiles ? signInTexts.value.whoAreYou : signInTexts.value.signIn)),
    !isClaimed.value &&
      notice('info', signInTexts.value.unclaimed, el.a({ href: '/setup' }, signInTexts.value.toSetup)),
    isDemo.value && notice('info', signInTexts.value.demo),
    person
      ? h(Secret, {
          isPasscode: person.passcodeSignsIn,
          send: (secret) => signIn({ account: person.id, ...secret }),
          cancel: () => setPerson(null),
        })
      : tiles
        ? peopleTiles(tiles, choose)
        : h(NameAndPassword, {}),
    tiles && !person && button(signInTexts.value.otherWay, { onClick: () => setOther(true) }),
    !person && button(signInTexts.value.haveCode, { onClick: () => setCode('person') }),
    !person && !station.value && button(signInTexts.value.enrol, { onClick: () => setCode('station') }),
    h(LanguageChoice, {}),
  )
}

function peopleTiles(people: readonly Person[], choose: (person: Person) => void): View {
  return el.div(
    { class: 'tiles' },
    people.map((each) => button(each.name, { onClick: () => choose(each), icon: 'person' })),
  )
}

/** The choice of the language before anyone has signed in. */
export function LanguageChoice(): View {
  return h(Choice, {
    label: common.value.language,
    value: language.value,
    choices: languages.map((each) => [each, languageNames[each]] as const),
    onChange: (to: string) => {
      const accountId = session.value?.accountId
      const wanted = to as typeof language.value
      void (accountId ? chooseLanguage(accountId, wanted) : changeLanguage(wanted))
    },
  })
}

function NameAndPassword(): View {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const { problem, isBusy, run } = useAttempt(signInTexts.value.wrong, () =>
    signIn({ account: name, password }),
  )
  return el.form(
    { class: 'stack', onSubmit: run },
    h(Field, {
      label: signInTexts.value.name,
      value: name,
      onInput: setName,
      autocomplete: 'username',
      isFirst: true,
    }),
    h(Field, {
      label: signInTexts.value.password,
      value: password,
      onInput: setPassword,
      type: 'password',
      autocomplete: 'current-password',
    }),
    problem && notice('error', problem),
    button(signInTexts.value.signIn, { onClick: () => {}, kind: 'main', type: 'submit', isBusy }),
  )
}

interface SecretOptions {
  /** Whether a passcode is accepted here. The password always is. */
  isPasscode: boolean
  /** The text of the button; default Confirm. */
  label?: string
  send(secret: { password: string } | { passcode: string }): Promise<void>
  cancel?: () => void
}

/** Asks for the passcode of one person, or for the password, which some accounts always need. */
function Secret({ isPasscode: mayPasscode, label, send, cancel }: SecretOptions): View {
  const [secret, setSecret] = useState('')
  const [isPasscode, setPasscode] = useState(mayPasscode)
  const { problem, isBusy, run } = useAttempt(
    signInTexts.value.wrongSecret,
    () => send(isPasscode ? { passcode: secret } : { password: secret }),
    (error) => {
      setSecret('')
      if (error.meta.reason === 'password-required') setPasscode(false)
    },
  )
  const takePassword = () => {
    setSecret('')
    setPasscode(false)
  }
  return el.form(
    { class: 'stack', onSubmit: run },
    h(Field, {
      key: String(isPasscode),
      label: isPasscode ? signInTexts.value.passcode : signInTexts.value.password,
      value: secret,
      onInput: setSecret,
      type: 'password',
      isFirst: true,
      ...(isPasscode && {
        inputMode: 'numeric',
        maxLength: 6,
        hint: isDemo.value ? signInTexts.value.demoPasscode : signInTexts.value.passcodeHint,
      }),
    }),
    problem && notice('error', problem),
    el.div(
      { class: 'row' },
      button(label ?? signInTexts.value.confirm, { onClick: () => {}, kind: 'main', type: 'submit', isBusy }),
      isPasscode && button(signInTexts.value.otherWay, { onClick: takePassword }),
      cancel && button(common.value.cancel, { onClick: cancel }),
    ),
  )
}

/** The page over a locked station: the same person continues, or another one takes over. */
export function LockedPage(): View {
  useTitle(signInTexts.value.locked)
  const [isSwitching, setSwitching] = useState(false)
  if (isSwitching) return h(SignIn, {})
  return el.main(
    { class: 'sign-in' },
    el.h1(null, signInTexts.value.locked),
    el.p(null, session.value?.name),
    h(Secret, {
      isPasscode: session.value?.passcodeFor.includes('unlock') ?? false,
      label: signInTexts.value.unlock,
      send: (secret) => act('unlock', secret),
    }),
    button(signInTexts.value.someoneElse, { onClick: () => setSwitching(true), icon: 'person' }),
    button(signInTexts.value.signOut, { onClick: () => void signOut(), icon: 'out' }),
    h(StillOpen, {}),
  )
}

/** Says that the person could not lock the station or sign out. */
export function StillOpen(): View | null {
  const how = failedToLeave.value
  if (how === null) return null
  const title = how === 'lock' ? signInTexts.value.notLocked : signInTexts.value.notSignedOut
  return notice('error', title, el.p(null, signInTexts.value.stayHere))
}

/** The question before an action for which the secret is asked again. */
export function ConfirmAgain(): View | null {
  const asked = asksAgain.value
  if (!asked) return null
  return h(
    Dialog,
    { title: signInTexts.value.confirmAgain, onClose: () => asked.done(false) },
    el.p(null, signInTexts.value.confirmWhy),
    h(Secret, {
      isPasscode: session.value?.passcodeFor.includes('reauthenticate') ?? false,
      send: async (secret) => {
        await act('reauthenticate', secret)
        asked.done(true)
      },
    }),
  )
}
