import { Fragment, h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Choice, Dialog, Field } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { countryNames } from '../../lib/language/country-names.ts'
import { type Resource, send } from '../../lib/server/api.ts'
import { type Address, firstNameOf, type Profile } from '../../lib/server/resources.ts'
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
  const [values, setValues] = useState(known?.attributes ?? fromProfile(guest.attributes))
  const form: Form = {
    values,
    change: (more) => setValues({ ...values, ...more }),
    needs: (name) => house.registrationFields?.includes(name) ?? false,
  }

  async function save(): Promise<void> {
    await send('PUT', `/api/v2/stays/${stayId}/registrations/${guest.id}`, {
      ...(known?.etag && { ifMatch: known.etag }),
      body: { data: { type: 'registration', attributes: needed(values, house.registrationFields ?? []) } },
    })
    onClose()
  }
  return h(
    Dialog,
    { title: t.value.registerTitle, onClose },
    el.form(
      { class: 'stack', onSubmit: prevented(() => void work.run(save)) },
      ofPerson(form),
      ofAddress(form),
      ofDocument(form),
      houseRules(form, rulesIn(house)),
      signature(form),
      workProblem(work, {}, () => {}),
      button(t.value.save, { onClick: () => {}, type: 'submit', kind: 'main', isBusy: work.isBusy }),
    ),
  )
}

/** What is entered, and whether the house needs a field. */
interface Form {
  values: WholeRegistration
  change: (more: Partial<WholeRegistration>) => void
  needs: (name: string) => boolean
}

const textField = (
  { values, change, needs }: Form,
  name: Text,
  more: Partial<Parameters<typeof Field>[0]> = {},
) =>
  h(Field, {
    key: name,
    label: { ...t.value, ...fieldTexts.value }[name],
    value: values[name] ?? '',
    onInput: (value: string) => change({ [name]: value }),
    isRequired: needs(name),
    ...more,
  })

const choice = (
  label: string,
  value: string | null | undefined,
  choices: readonly (readonly [string, string])[],
  onChange: (value: string) => void,
) => h(Choice, { key: label, label, value: value ?? '', choices: [['', '–'] as const, ...choices], onChange })

function ofPerson(form: Form): View {
  const { values, change, needs } = form
  return h(
    Fragment,
    null,
    el.div(
      { class: 'two' },
      textField(form, 'lastName', { isRequired: true, isFirst: true }),
      textField(form, 'firstName'),
    ),
    el.div(
      { class: 'two' },
      needs('birthDate') && textField(form, 'birthDate', { type: 'date' }),
      needs('nationality') &&
        choice(fieldTexts.value.nationality, values.nationality, countryNames(), (nationality) =>
          change({ nationality }),
        ),
    ),
  )
}

function ofAddress({ values: { address }, change, needs }: Form): View | null {
  if (!needs('address')) return null
  const texts = { ...t.value, ...fieldTexts.value }
  const field = (name: 'line1' | 'postalCode' | 'city') =>
    h(Field, {
      key: name,
      label: texts[name],
      value: address?.[name] ?? '',
      onInput: (value: string) => change({ address: { ...address, [name]: value } }),
      isRequired: name !== 'postalCode',
    })
  return h(
    Fragment,
    null,
    el.div({ class: 'two' }, field('line1'), field('postalCode')),
    el.div(
      { class: 'two' },
      field('city'),
      choice(texts.country, address?.country, countryNames(), (country) =>
        change({ address: { ...address, country } }),
      ),
    ),
  )
}

function ofDocument(form: Form): View {
  const { values, change, needs } = form
  const { documentType, documentTypes, documentCountry } = fieldTexts.value
  return h(
    Fragment,
    null,
    needs('documentType') &&
      choice(documentType, values.documentType, Object.entries(documentTypes), (documentType) =>
        change({ documentType }),
      ),
    el.div(
      { class: 'two' },
      needs('documentNumber') && textField(form, 'documentNumber', { maxLength: 40 }),
      needs('documentCountry') &&
        choice(documentCountry, values.documentCountry, countryNames(), (documentCountry) =>
          change({ documentCountry }),
        ),
    ),
  )
}

/** An accepted version stays accepted; a correction keeps it. */
function houseRules({ values, change, needs }: Form, rules: ReturnType<typeof rulesIn>): View | null {
  if (!needs('acceptedRules') || rules === null) return null
  const { text, version, language } = rules
  return el.div(
    { class: 'stack' },
    el.details(null, el.summary(null, fieldTexts.value.houseRules), el.p({ class: 'kept-lines' }, text)),
    check(t.value.accepts, (values.acceptedRules ?? null) !== null, (isChecked) =>
      change({ acceptedRules: isChecked ? { version, language } : null }),
    ),
  )
}

function signature({ values, change, needs }: Form): View | null {
  if (!needs('signature')) return null
  return el.div(
    { class: 'stack' },
    check(t.value.onPaper, values.signedOnPaper, (signedOnPaper) => change({ signedOnPaper })),
    !values.signedOnPaper &&
      h(SignaturePad, {
        strokes: values.signature ?? [],
        change: (strokes: Signature) => change({ signature: strokes.length > 0 ? strokes : null }),
      }),
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
