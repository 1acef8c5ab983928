import { translated } from '../../lib/language/language.ts'

/** The English texts of the updates. */
const en = {
  running: (version: string, slot: string | null) =>
    slot ? `Version ${version} runs, in slot ${slot}.` : `Version ${version} runs.`,
  noImage:
    'nightporter was installed on this machine by hand, so it cannot update itself. Stop the program, replace its folder with the newer one, and start it again.',
  newest: 'No newer version is known.',
  available: (version: string) => `Version ${version} is available`,
  security: 'Security',
  later: 'Later',
  install: 'Update now ...',
  check: 'Look for updates',
  checkedAt: (at: string) => `Last looked: ${at}`,
  heldUntil: (at: string) => `Put off until ${at}`,
  resume: 'Put off no longer',
  notOurTurn: (percent: number) =>
    `${percent} % of the boxes have it first, and this one is not among them. You may install it all the same.`,
  automatic: {
    none: 'The box installs nothing by itself.',
    security: (window: string) => `The box installs security updates by itself between ${window}.`,
    all: (window: string) => `The box installs updates by itself between ${window}.`,
  },
  dialog: (version: string) => `Update to version ${version}`,
  how: 'The box loads the new version, makes a backup, and restarts for two or three minutes when no card is on its way and no guest is at a kiosk. If the new version does not work with your devices and your data, the old one runs again by itself.',
  restartNow: 'Restart as soon as possible',
  restartAtNight: (window: string) => `Restart between ${window}`,
  withoutBackup: 'Without a backup (only for a box without a recovery key)',
  begin: 'Begin',
  underWay: (version: string) => `Update to version ${version}`,
  steps: {
    downloading: 'Load and verify',
    'backing-up': 'Make a backup',
    installing: 'Install',
    installed: 'Wait for a quiet moment',
    restarting: 'Restart',
    trial: 'Try the new version',
  } as Record<string, string>,
  lacks: 'The trial still lacks:',
  keep: 'Keep the new version all the same',
  results: {
    confirmed: (version: string, at: string) => `The update to version ${version} succeeded on ${at}.`,
    'rolled-back': (version: string, at: string) =>
      `The update to version ${version} was taken back on ${at}. The old version runs again with all data.`,
    failed: (version: string, at: string) => `The update to version ${version} failed on ${at}.`,
  },
}

export type UpdateTexts = typeof en

/** The texts of the updates, in the language of the page. */
export const t = translated(en, (language) => import(`./update-texts/${language}.ts`))
