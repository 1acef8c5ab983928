import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, chip, Field, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { momentText } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { nameInList, type Profile, type Stay } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { readRegistrationSettings } from '../../registration/settings.ts'
import { guestsOf, type ShownStay, writeStay } from '../stay/stay.ts'
import { useWork, workProblem } from '../stay/use-work.ts'
import { readRegistration, readRegistrations, readUnsigned } from './read.ts'
import { Register } from './register.ts'
import { t } from './texts.ts'

interface RegistrationsOptions {
  shown: ShownStay
  changed: () => void
}

/** The guests of a stay with who is registered, in a house that registers its guests. */
export function Registrations({ shown, changed }: RegistrationsOptions): View | null {
  const { stay } = shown
  const { data, problem, readAgain } = useRead(
    may('registrations.read') ? `registrations ${stay.id}` : null,
    async (signal) => {
      const [house, taken, unsigned] = await Promise.all([
        readRegistrationSettings(signal),
        readRegistrations(stay.id, signal),
        may('registrations.write-own') ? readUnsigned(stay.id, signal) : new Set<string>(),
      ])
      return { house, taken, unsigned }
    },
    ['stay.', 'settings.'],
  )
  const work = useWork()
  const [opened, open] = useState<Omit<Parameters<typeof Register>[0], 'onClose' | 'stayId'> | null>(null)
  if (problem) return failure(problem, readAgain)
  if (!data?.house.registrationFields?.length) return null
  const { house, taken, unsigned } = data
  const guests = guestsOf(shown)
  const missing = guests.filter(
    ({ id }) => unsigned.has(id) || !taken.some(({ attributes }) => attributes.profileId === id),
  )
  const begin = (guest: Resource<Profile>) =>
    void work.run(async () => {
      const own = taken.find(({ attributes }) => attributes.profileId === guest.id)
      const read = own && (await readRegistration(own.id))
      open({ guest, house, known: read ? { attributes: read.data.attributes, etag: read.etag } : null })
    })
  return el.section(
    { class: 'stack' },
    el.h3(null, t.value.title),
    guests.length === 0 && el.p(null, t.value.noGuest),
    guests.map((guest) => {
      const own = taken.find(({ attributes }) => attributes.profileId === guest.id)
      const name = nameInList(guest)
      const action = own ? t.value.correct : t.value.register
      return el.div(
        { key: guest.id, class: 'line' },
        el.span(null, name),
        own && !unsigned.has(guest.id)
          ? chip('ok', t.value.registered)
          : chip('warning', own ? t.value.notSigned : t.value.notRegistered),
        own &&
          el.span(
            { class: 'quiet' },
            [momentText(own.attributes.takenAt), own.attributes.takenByName].filter(Boolean).join(', '),
          ),
        may('registrations.write') &&
          button(action, { onClick: () => begin(guest), name: `${action}: ${name}`, isBusy: work.isBusy }),
      )
    }),
    stay.attributes.registrationWaiver !== null &&
      notice('warning', t.value.waived, el.p(null, stay.attributes.registrationWaiver)),
    (missing.length > 0 || guests.length === 0) &&
      stay.attributes.status === 'Confirmed' &&
      may('reservations.write') &&
      h(Waive, { shown, changed, key: `waive ${stay.id}` }),
    workProblem(work, {}, () => {}),
    opened &&
      h(Register, {
        ...opened,
        stayId: stay.id,
        onClose: () => {
          open(null)
          readAgain()
        },
      }),
  )
}

/** Lets the desk check the guests in without a registration, with a reason. */
function Waive({ shown: { stay }, changed }: RegistrationsOptions): View {
  const work = useWork()
  // The stay as it was when the person began to type, and the text; null before.
  const [typed, setTyped] = useState<{ over: Resource<Stay>; reason: string } | null>(null)
  const reason = typed?.reason ?? stay.attributes.registrationWaiver ?? ''
  const text = reason.trim()
  const change = { registrationWaiver: text === '' ? null : text }
  const keep = (from = typed?.over ?? stay) =>
    void work.run(async () => {
      await writeStay(from, change)
      setTyped(null)
      changed()
    })
  return el.details(
    null,
    el.summary(null, t.value.without),
    el.form(
      { class: 'stack', onSubmit: prevented(keep) },
      h(Field, {
        label: t.value.why,
        value: reason,
        onInput: (value) => setTyped({ over: typed?.over ?? stay, reason: value }),
        maxLength: 200,
        hint: t.value.whyHint,
      }),
      workProblem(work, change, ({ fresh }) => keep(fresh)),
      button(t.value.keepReason, {
        onClick: () => {},
        type: 'submit',
        isBusy: work.isBusy,
        isDisabled: text.length > 0 && text.length < 3,
      }),
    ),
  )
}
