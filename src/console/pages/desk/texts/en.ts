import { plural } from '../../lib/format.ts'
/** The texts of the front desk. */
export const en = {
  screens: {
    today: 'Today',
    rack: 'Room rack',
    rooms: 'Rooms',
    keys: 'Keys that may open',
    devices: 'Devices',
    conflicts: 'PMS conflicts',
    walkIn: 'Walk-in',
    lobby: 'Demo lobby',
  },
  frame: {
    alarms: (count: number) => plural(count, { one: '1 alarm', other: `${count} alarms` }),
    keysMayOpen: (count: number) => `Keys that may open: ${count}`,
    screens: 'Screens',
    search: 'Search',
    live: 'Line to the box: live',
    noLine: 'No line to the box',
    lock: 'Lock',
    keysHelp: 'Keys of the keyboard',
    letters: 'Single letters are shortcuts',
    notAllowed: 'Your role does not show this page.',
    soon: 'There is no such screen.',
    skip: 'To the content',
  },
}

export type DeskTexts = typeof en
