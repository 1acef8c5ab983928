import { h } from 'preact'
import { useState } from 'preact/hooks'
import { type Resource, send } from '../../lib/api.ts'
import { button, Choice, Dialog, Field } from '../../lib/controls.ts'
import { countryNames } from '../../lib/country-names.ts'
import { el, type View } from '../../lib/el.ts'
import { type Address, firstNameOf, type Profile } from '../../lib/resources.ts'
import { type RegistrationSettings, rulesIn } from '../../registration/settings.ts'
import { type Signature, SignaturePad } from '../../registration/signature.ts'
import { fieldTexts } from '../../registration/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'
import { primaryOf, type WholeRegistration } from './read.ts'
import { t } from './texts.ts'

interface RegisterOptions {
  stayId: string
  guest: Resource<Profile>
  /** Null for a guest who is not registered yet. */
  known: { attributes: WholeRegistration; etag: string | null } | null
  house: RegistrationSettings
  onClose: () => void
}

type Text = 'lastName' | 'firstName' | 'birthDate' | 'documentNumber'

/** Enters or corrects the registration of a guest: the fields that the house needs. What the profile knows is filled in. */
export function Register({ stayId, guest, known, house, onClose }: RegisterOptions): View {
  const work = useWork()
  const before = known?.attributes ?? fromProfile(guest.attributes)
  const [values, setValues] = useState(before)
  const needs = (name: string) => house.registrationFields?.includes(name) ?? false
  const change = (more: Partial<WholeRegistration>) => setValues({ ...values, ...more })
  const rules = rulesIn(house)
  const texts = { ...t.value, ...fieldTexts.value }
  // An accepted version stays accepted; a correction keeps it.
  const accepted = values.acceptedRules ?? null

  async function save(): Promise<void> {
    await send('PUT', `/api/v2/stays/${stayId}/registrations/${guest.id}`, {
      ...(known?.etag && { ifMatch: known.etag }),
      body: { data: { type: 'registration', attributes: needed(values, house.registrationFields ?? []) } },
    })
    onClose()
  }
  const field = (name: Text, more: Partial<Parameters<typeof Field>[0]> = {}) =>
    h(Field, {
      key: name,
      label: texts[name],
      value: values[name] ?? '',
      onInput: (value: string) => change({ [name]: value }),
      isRequired: needs(name),
      ...more,
    })
  const ofAddress = (name: 'line1' | 'postalCode' | 'city') =>
    h(Field, {
      key: name,
      label: texts[name],
      value: values.address?.[name] ?? '',
      onInput: (value: string) => change({ address: { ...values.address, [name]: value } }),
      isRequired: name !== 'postalCode',
    })
  const choice = (
    label: string,
    value: string | null | undefined,
    choices: readonly (readonly [string, string])[],
    onChange: (value: string) => void,
  ) =>
    h(Choice, { key: label, label, value: value ?? '', choices: [['', '–'] as const, ...choices], onChange })
  const countries = countryNames()
  const types = Object.entries(fieldTexts.value.documentTypes)
  return h(
    Dialog,
    { title: t.value.registerTitle, onClose },
    el.form(
      {
        class: 'stack',
        onSubmit: (event) => {
          event.preventDefault()
          void work.run(save)
        },
      },
      el.div({ class: 'two' }, field('lastName', { isRequired: true, isFirst: true }), field('firstName')),
      el.div(
        { class: 'two' },
        needs('birthDate') && field('birthDate', { type: 'date' }),
        needs('nationality') &&
          choice(fieldTexts.value.nationality, values.nationality, countries, (nationality) =>
            change({ nationality }),
          ),
      ),
      needs('address') && el.div({ class: 'two' }, ofAddress('line1'), ofAddress('postalCode')),
      needs('address') &&
        el.div(
          { class: 'two' },
          ofAddress('city'),
          choice(fieldTexts.value.country, values.address?.country, countries, (country) =>
            change({ address: { ...values.address, country } }),
          ),
        ),
      needs('documentType') &&
        choice(fieldTexts.value.documentType, values.documentType, types, (documentType) =>
          change({ documentType }),
        ),
      el.div(
        { class: 'two' },
        needs('documentNumber') && field('documentNumber', { maxLength: 40 }),
        needs('documentCountry') &&
          choice(fieldTexts.value.documentCountry, values.documentCountry, countries, (documentCountry) =>
            change({ documentCountry }),
          ),
      ),
      needs('acceptedRules') &&
        rules !== null &&
        el.div(
          { class: 'stack' },
          el.details(
            null,
            el.summary(null, fieldTexts.value.houseRules),
            el.p({ class: 'kept-lines' }, rules.text),
          ),
          check(t.value.accepts, accepted !== null, (isChecked) =>
            change({
              acceptedRules: isChecked ? { version: rules.version, language: rules.language } : null,
            }),
          ),
        ),
      needs('signature') &&
        el.div(
          { class: 'stack' },
          check(t.value.onPaper, values.signedOnPaper, (signedOnPaper) => change({ signedOnPaper })),
          !values.signedOnPaper &&
            h(SignaturePad, {
              strokes: values.signature ?? [],
              change: (strokes: Signature) => change({ signature: strokes.length > 0 ? strokes : null }),
            }),
        ),
      workProblem(work, {}, () => {}),
      button(t.value.save, { onClick: () => {}, type: 'submit', kind: 'main', isBusy: work.isBusy }),
    ),
  )
}

function check(label: string, checked: boolean, onChange: (checked: boolean) => void): View {
  return el.label(
    { class: 'row' },
    el.input({
      type: 'checkbox',
      checked,
      onChange: ({ currentTarget }) => onChange(currentTarget.checked),
    }),
    el.span(null, label),
  )
}

function fromProfile(profile: Profile): WholeRegistration {
  const { firstName, lastName, birthDate, nationality, addresses } = profile
  const lives = primaryOf(addresses)
  return {
    profileId: '',
    firstName: firstNameOf(firstName),
    lastName: lastName ?? '',
    birthDate,
    nationality,
    address: lives ? { ...lives } : null,
    documentType: null,
    documentCountry: null,
    acceptedRules: null,
    signedOnPaper: false,
    takenAt: '',
    takenByName: null,
    takenAtKiosk: false,
  }
}

/** The name and what the house needs, and no more. A text that is empty, and an address without a place, is left out. */
function needed(values: WholeRegistration, fields: readonly string[]): object {
  const { address, signature, signedOnPaper } = values
  const lives: Address = filled(address ?? {})
  const all = {
    ...filled(values),
    address: lives.line1 || lives.city ? lives : null,
    signature: signedOnPaper ? null : signature,
  }
  const names = ['firstName', 'lastName', ...fields]
  return {
    ...Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))),
    signedOnPaper: signedOnPaper && fields.includes('signature'),
  }
}

function filled(each: object): object {
  return Object.fromEntries(
    Object.entries(each)
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value])
      .filter(([, value]) => value !== ''),
  )
}
