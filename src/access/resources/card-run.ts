import { flag, instant, oneOf, reference, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'

/**
 * The steps of an issuance, in their order. A step is stored before it is taken. `recalled`: the card is being captured
 * again after the proof.
 */
export const cardSteps = ['asked', 'writing', 'verified', 'presented', 'recalled', 'ended'] as const
export const cardEnds = ['taken', 'handed', 'captured', 'left', 'failed', 'unknown'] as const

/**
 * The issuance of one card, from the stacker or a person's hand to the guest. After a power cut it shows the step that
 * was open.
 */
export const cardRun = resource('card-run', {
  path: 'access/card-runs',
  scopes: { read: 'dispensers.read', write: 'dispensers.operate' },
  operations: ['list', 'read'],
  fields: {
    keyId: reference('key', { required: true, readOnly: true }),
    controllerId: reference('access-controller', { required: true, readOnly: true }),
    dispenserId: reference('dispenser', { readOnly: true }),
    step: oneOf(cardSteps, { required: true, readOnly: true }),
    ending: oneOf(cardEnds, { readOnly: true }),
    reason: text({ readOnly: true, max: 60, note: 'Why the card was not handed over.' }),
    uid: text({ readOnly: true, max: 64 }),
    placed: flag({ readOnly: true, note: 'The card already lay at the encoder; none was fed.' }),
    presentedAt: instant({ readOnly: true }),
    endedAt: instant({ readOnly: true }),
  },
  indexes: [
    { fields: ['keyId'], why: 'the way of one card' },
    { fields: ['step'], where: "step <> 'ended'", why: 'what a start-up has to resolve' },
  ],
})

export type CardRun = Row<typeof cardRun.fields>

/** Whether the issuance has reached the step `verified`. */
export function wasVerified({ step }: Pick<CardRun, 'step'>): boolean {
  return step !== 'asked' && step !== 'writing'
}

/** Whether the card was received: a guest has taken it, or it was handed over at an encoder. */
export function isReceived({ ending }: Pick<CardRun, 'ending'>): boolean {
  return ending === 'taken' || ending === 'handed'
}
