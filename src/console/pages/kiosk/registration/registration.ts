import { signal } from '@preact/signals'
import { h } from 'preact'
import type { View } from '../../lib/controls/el.ts'
import { textsLoaded } from '../../lib/language/language.ts'
import { ApiError, getOne, send } from '../../lib/server/api.ts'
import { readRegistrationSettings, rulesIn } from '../../registration/settings.ts'
import type { Found, GuestProfile, readStay } from '../box.ts'
import type { shortName } from '../short-name.ts'
import type { Visit } from '../visit.ts'
import { attributesOf, isSignedAtDesk, type Question, questionAt, questionsFor } from './questions.ts'
import { type Kit, Questions } from './screens.ts'
import { allQuestions, type Form, type State } from './state.ts'
import { t } from './texts.ts'

/** What the start script has. An import of it would cut that script into parts, which compress less well. */
interface Tools extends Kit {
  readStay: typeof readStay
  shortName: typeof shortName
  /** The Stop for a guest whom only the front desk can register. */
  needsDesk(): Error
  /** Repeats a request that may be sent again, when the box is back. */
  patiently<T>(ask: () => Promise<T>): Promise<T>
}

interface Options {
  visit: Visit
  found: Found
  /** What follows the last question. */
  goOn(): void | Promise<void>
  tools: Tools
}

/**
 * Returns what draws the questions that the house asks of the guests of a stay, one for each screen; null where nothing is asked. The
 * box says what is missing. Throws a Stop where only the front desk can register a guest.
 */
export async function registration(options: Options): Promise<(() => View) | null> {
  const { visit, found, goOn, tools } = options
  const { patiently, readStay, needsDesk } = tools
  const { id: stayId } = found.stay
  await textsLoaded()
  const forms = await patiently(() => begun(stayId, visit.signal, tools))
  // The name on file may be all that this house needs.
  for (const form of forms)
    if (form.questions.length === 0 && (await refusalOf(form, options)) !== null) throw needsDesk()
  if (allQuestions(forms).length === 0) return null
  const state = signal<State>(await shown(forms, 0, null))

  /** Resolves with a question, and with the present house rules where they are asked. */
  async function shown(forms: readonly Form[], at: number, problem: string | null): Promise<State> {
    if (allQuestions(forms)[at]?.question !== 'acceptedRules') return { forms, at, problem, rules: null }
    const rules = rulesIn(await patiently(() => readRegistrationSettings(visit.signal)))
    if (!rules) throw needsDesk()
    return { forms, at, problem, rules }
  }

  const answer = (value: unknown) =>
    visit.step('registration', async () => {
      const { forms, at } = state.value
      const all = allQuestions(forms)
      const { of, question } = all[at]!
      const form = { ...forms[of]!, answers: { ...forms[of]!.answers, [question]: value } }
      const filled = forms.with(of, form)
      state.value = { ...state.value, forms: filled, problem: null }
      if (all[at + 1]?.of === of) keepProof()
      else {
        const refusal = await refusalOf(form, options)
        if (refusal) {
          state.value = await refused(filled, of, refusal)
          return
        }
        if (isSignedAtDesk(form.answers)) throw needsDesk()
      }
      if (at + 1 === all.length) await goOn()
      else state.value = await shown(filled, at + 1, null)
    })

  /** The box ends a proof after five minutes without a request. */
  const keepProof = () => void readStay(found.stay, visit.signal).catch(() => {})

  /** Asks what was refused, and what the house needs since the questions began. */
  function refused(forms: readonly Form[], of: number, { errors }: ApiError): Promise<State> {
    const form = forms[of]!
    const pointers = errors.map(({ source }) => source?.pointer ?? '')
    const more = questionsFor(pointers)
    const first = questionAt(pointers[0]!)
    if (more === null || first === null) throw needsDesk()
    const questions = [...form.questions, ...more.filter((each) => !form.questions.includes(each))]
    const next = forms.with(of, { ...form, questions })
    const at = allQuestions(next).findIndex((each) => each.of === of && each.question === first)
    // What the house needs since is a question, and no answer was wrong.
    return shown(next, at, form.questions.includes(first) ? spoken(errors[0]!.detail, first) : null)
  }

  const back = () => {
    const { forms, at } = state.value
    if (at === 0) return visit.back()
    return visit.step('back', async () => {
      state.value = await shown(forms, at - 1, null)
    })
  }

  return () => h(Questions, { visit, state, answer, back, kit: tools })
}

/** Writes the registration of a guest. Resolves with the refusal of a value; null for none. */
async function refusalOf({ profileId, answers }: Form, options: Options): Promise<ApiError | null> {
  const { visit, found, tools } = options
  const path = `/api/v2/stays/${found.stay.id}/registrations/${profileId}`
  const body = { data: { type: 'registration', attributes: attributesOf(answers) } }
  try {
    await tools.patiently(() => send('PUT', path, { body, signal: visit.signal }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 422) return error
    // The house registers its guests no longer.
    if (error.code !== 'configuration-disabled') throw error
  }
  return null
}

/** A sentence of the box. Some are about the guest, and not for the guest. */
function spoken(detail: string, question: Question): string {
  if (question === 'acceptedRules') return t.value.rulesChanged
  if (question === 'signature') return t.value.notSigned
  return detail
}

/** Reads what the guests of a stay are asked. Throws a Stop for a guest whom only the front desk can register. */
async function begun(stayId: string, signal: AbortSignal, { shortName, needsDesk }: Tools): Promise<Form[]> {
  const { data } = await getOne<{ missing: { profileId: string | null; fields: string[] }[] }>(
    `/api/v2/stays/${stayId}/missing-registrations`,
    { signal, needs: ['missing'] },
  )
  return Promise.all(
    data.attributes.missing.map(async ({ profileId, fields }) => {
      const questions = questionsFor(fields)
      if (profileId === null || questions === null) throw needsDesk()
      const path = `/api/v2/profiles/${profileId}?fields[profile]=firstName,lastName`
      const guest = await getOne<GuestProfile>(path, { signal })
      return { profileId, name: shortName(guest.data.attributes), questions, answers: {} }
    }),
  )
}
