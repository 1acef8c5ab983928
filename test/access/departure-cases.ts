import fc, { seed } from '../seed.ts'

interface Dates {
  startDate: string
  startTime?: string
  endDate: string
  endTime?: string
}

/** A stay, and when its guest comes to a kiosk. */
export interface Case {
  name: string
  dates: Dates
  /** The date and time of the property at which the guest comes to the kiosk. */
  comes: [date: string, time: string]
  zone?: string
}

export const oneNight = { startDate: '2026-06-02', endDate: '2026-06-03' }
const late = { ...oneNight, endTime: '14:00' }
const early = { ...oneNight, endTime: '08:00' }
const dayUse = { startDate: '2026-06-03', startTime: '09:00', endDate: '2026-06-03', endTime: '17:00' }
/** The clocks of Berlin go forward at 02:00 of 29 March 2026, and back at 03:00 of 25 October. */
const spring = { startDate: '2026-03-28', endDate: '2026-03-29', endTime: '02:30' }
const autumn = { startDate: '2026-10-24', endDate: '2026-10-25', endTime: '02:30' }

/** Minutes after the departure of a stay, the same each time. */
const [drawn = 1] = fc.sample(fc.noBias(fc.integer({ min: 1, max: 12 * 60 })), { seed, numRuns: 1 })
const timeOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** The departure has come, so nothing may be charged. */
export const tooLate: Case[] = [
  { name: 'one night, half an hour after departure', dates: oneNight, comes: ['2026-06-03', '11:30'] },
  { name: 'in the minute of departure', dates: oneNight, comes: ['2026-06-03', '11:00'] },
  { name: 'two days after departure', dates: oneNight, comes: ['2026-06-05', '10:00'] },
  { name: 'a late departure that has passed', dates: late, comes: ['2026-06-03', '14:10'] },
  { name: 'an early departure that has passed', dates: early, comes: ['2026-06-03', '09:00'] },
  { name: 'a day use that has passed', dates: dayUse, comes: ['2026-06-03', '17:20'] },
  {
    name: 'a house in another zone',
    dates: oneNight,
    comes: ['2026-06-03', '11:05'],
    zone: 'Asia/Kathmandu',
  },
  {
    name: 'a departure in the hour that is skipped',
    dates: spring,
    comes: ['2026-03-29', '03:45'],
    zone: 'Europe/Berlin',
  },
  {
    name: 'a departure in the hour that comes twice',
    dates: autumn,
    comes: ['2026-10-25', '03:00'],
    zone: 'Europe/Berlin',
  },
  {
    name: `${drawn} minutes after departure`,
    dates: oneNight,
    comes: ['2026-06-03', timeOf(11 * 60 + drawn)],
  },
]

/** A key still opens. */
export const inTime: Case[] = [
  { name: 'in the night', dates: oneNight, comes: ['2026-06-03', '01:30'] },
  { name: 'a quarter of an hour before departure', dates: oneNight, comes: ['2026-06-03', '10:45'] },
  { name: 'before a late departure', dates: late, comes: ['2026-06-03', '11:30'] },
  { name: 'a day use after check-out time', dates: dayUse, comes: ['2026-06-03', '16:00'] },
  {
    name: 'a house in another zone',
    dates: oneNight,
    comes: ['2026-06-03', '10:30'],
    zone: 'Asia/Kathmandu',
  },
  {
    name: 'before the second of two hours',
    dates: autumn,
    comes: ['2026-10-25', '01:59'],
    zone: 'Europe/Berlin',
  },
]
