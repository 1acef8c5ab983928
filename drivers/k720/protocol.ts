/**
 * A command. The machine stores a frame, and executes it at ENQ. A command that was not acknowledged was therefore not
 * executed, and may be sent again. After ENQ only a question may be repeated.
 */
export interface K720Command {
  /** ASCII. */
  payload: string
  kind: 'query' | 'setting' | 'reset' | 'motion'
}

/** A question. `reply` is the beginning of the answer. */
export interface K720Query extends K720Command {
  kind: 'query'
  reply: string
}

/** The durations on a healthy line, in milliseconds, and the numbers of attempts. */
export const limits = {
  /** From the last byte of a frame to its ACK. */
  ackMs: 500,
  /** From ENQ to the reply to a question. */
  replyMs: 1_500,
  /** The longest silence inside one frame; the machine drops one with more than 15 or 50 ms. */
  gapMs: 100,
  /** Silence after an EOT; after it no earlier answer can still arrive. */
  quietMs: 2_000,
  settleMs: 8_000,
  /** Between two questions for the state of a moving card. The machine tolerates one each 200 ms. */
  lookMs: 300,
  motionMs: 15_000,
  /** This many state words of a card that does not move show that the motion was not begun. */
  stillLooks: 6,
  /** The shortest duration of a reset. */
  resetMs: 3_000,
  /** After this time the state word shows whether a setting was refused. */
  settingMs: 300,
  sends: 3,
} as const

const motion = { kind: 'motion' } as const
const setting = { kind: 'setting' } as const

/**
 * Every command in use, as a conversation; A A are the two digits of the address. A motion or setting has no reply: the
 * state word shows its result.
 *
 *   > 02 A A 00 02 41 50 03 BCC    < 06 A A    > 05 A A    < 02 A A 00 06 53 46 s s s s 03 BCC
 */
export const commands = {
  // AP       < SF s s s s
  status: { payload: 'AP', kind: 'query', reply: 'SF' },
  // GV       < TTCE_K720_V2.00
  version: { payload: 'GV', kind: 'query', reply: '' },
  // FR       < FR entry reset     entry: 01 after FC8, 02 whenever a sensor sees a card
  //                               reset: 01 leaves a card, 02 to the hopper, 03 to the box
  settings: { payload: 'FR', kind: 'query', reply: 'FR' },
  // FD2                           permanent: a reset leaves a card where it is
  'reset-leaves': { payload: 'FD2', ...setting },
  // FD1                           permanent: a card at the front is accepted only after FC8
  'entry-by-command': { payload: 'FD1', ...setting },
  // RS                            clears errors, moves the mechanism to its home position
  reset: { payload: 'RS', kind: 'reset' },
  // FC8                           accepts the next card at the front, and moves it to the antenna
  'entry-on': { payload: 'FC8', ...setting },
  // BG
  'entry-off': { payload: 'BG', ...setting },
  // FC7                           to the antenna; from the mouth, or fed when the path is empty
  'move-encoder': { payload: 'FC7', ...motion },
  // FC4                           to the mouth, held; fed when the path is empty
  'move-front': { payload: 'FC4', ...motion },
  // FC0                           out of the mouth
  'move-eject': { payload: 'FC0', ...motion },
  // CP                            to the box
  'move-capture': { payload: 'CP', ...motion },
  // DB                            back into the hopper; only K750
  'move-stacker': { payload: 'DB', ...motion },
} as const satisfies Record<string, K720Command | K720Query>

export type K720CommandName = keyof typeof commands
export type QueryName = 'status' | 'version' | 'settings'

interface Profile {
  /** The hopper takes cards back. */
  takesBack: boolean
  /** A card waits at the hopper's exit; bit 1000 shows that it is being moved there. */
  preFeeds: boolean
}

/** The profiles, by the model's name in a device configuration. */
const profiles = {
  k720: { takesBack: false, preFeeds: true },
  k730: { takesBack: false, preFeeds: false },
  k750: { takesBack: true, preFeeds: false },
} as const satisfies Record<string, Profile>

/** The profile of a model; an unknown word gets that of the K720. */
export function profileOf(model: string): Profile {
  return Object.hasOwn(profiles, model) ? profiles[model as keyof typeof profiles] : profiles.k720
}

/** The name of the command with this payload; null for an unknown command. */
export function commandNamed(payload: Uint8Array): K720CommandName | null {
  const text = Buffer.from(payload).toString('latin1')
  const names = Object.keys(commands) as K720CommandName[]
  return names.find((name) => commands[name].payload === text) ?? null
}
