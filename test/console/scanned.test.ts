import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { numberIn } from '../../src/console/pages/kiosk/keyboard/scanned.ts'

/** What is typed or scanned, and the number in it. */
const texts: readonly [typed: string, number: string][] = [
  ['NP-1002', 'NP-1002'],
  [' 2027/0117 ', '2027/0117'],
  ['K 12 B', 'K 12 B'],
  [']Q1NP-1002', 'NP-1002'],
  [']C0NP-1002', 'NP-1002'],
  ['https://hotel.example/checkin/NP-1002', 'NP-1002'],
  ['https://hotel.example/checkin/NP-1002/', 'NP-1002'],
  ['HTTPS://HOTEL.EXAMPLE/B/NP-1002', 'NP-1002'],
  ['https://hotel2.example/v3/b/NP-1002?lang=de', 'NP-1002'],
  ['https://hotel.example/b?lang=2&confirmation=NP-1002&pin=4711', 'NP-1002'],
  ['https://hotel.example/b?pin=4711&bookingId=NP-1002', 'NP-1002'],
  ['https://hotel.example/b?q=NP-1002', 'NP-1002'],
  ['https://hotel.example/app#/stays/NP-1002', 'NP-1002'],
  ['https://hotel.example/app#/stay?reservation=NP-1002', 'NP-1002'],
  ['https://hotel.example/app#reservation=NP-1002', 'NP-1002'],
  ['https://hotel.example/b/2027%2F0117', '2027/0117'],
  ['https://hotel.example/b/%E0%A4%A-1002', '%E0%A4%A-1002'],
  ['https://hotel.example/b/NP-1002?utm_id=7', 'NP-1002'],
  ['https://hotel.example/b/NP-1002?ref=mail2&hotel_id=5', 'NP-1002'],
  ['https://hotel.example/v2/b?id=NP-1002', 'NP-1002'],
  ['https://hotel.example/b?booked=2026-05-01&id=NP-1002', 'NP-1002'],
  ['Booking date: 12.05.2026; Reservation: NP-1002', 'NP-1002'],
  ['hotelapp://open?reservation_number=NP-1002', 'NP-1002'],
  ['https://hotel.example/', 'https://hotel.example/'],
  ['{"hotel":12,"confirmationNumber":"NP-1002"}', 'NP-1002'],
  ['{"id":77,"booking":{"number":"NP-1002"}}', 'NP-1002'],
  ['Hotel: Sample 5; Booking number: NP-1002; Name: Smith', 'NP-1002'],
  ['HOTEL SAMPLE; Booking number: NP-1002; Guests: 2', 'NP-1002'],
  ['Martin Léa; NP-1002; 2026-06-01', 'NP-1002'],
  ['2026-06-01; NP-1002', 'NP-1002'],
  ['{; "hotel": 12,; "confirmationNumber": "NP-1002"; }; ', 'NP-1002'],
  ['Buchungsnummer: NP-1002', 'NP-1002'],
  ['Réf. de réservation : NP-1002', 'NP-1002'],
  ['Localizador: NP-1002', 'NP-1002'],
  ['reserva#NP-1002', 'NP-1002'],
  ['Room: 5', 'Room: 5'],
  ['', ''],
]

describe('the number of a booking', () => {
  for (const [typed, number] of texts)
    it(`in ${JSON.stringify(typed)}`, () => {
      assert.equal(numberIn(typed), number)
    })
})
