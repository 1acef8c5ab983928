import type { CheckOutTexts } from '../texts.ts'

export const de: CheckOutTexts = {
  insertCard: 'Bitte stecken Sie Ihre Karte in den Schlitz.',
  whyReturn: 'Das Gerät behält sie. Dann checken wir Sie aus.',
  holdCard: 'Bitte halten Sie Ihre Karte an das Lesegerät.',
  whyShow: 'Sie zeigt, dass Sie es sind, der abreist.',
  noCardCame:
    'Das Gerät hat keine Karte von Ihnen. Bitte versuchen Sie es noch einmal, oder fragen Sie an der Rezeption.',
  notYours:
    'Wir konnten keine Karte Ihres Zimmers lesen. Bitte versuchen Sie es noch einmal, oder fragen Sie an der Rezeption.',
  putOther:
    'Diese Karte haben wir. Bitte stecken Sie auch die erste Karte Ihres Zimmers hinein, oder fragen Sie an der Rezeption.',
  tryAgain: 'Noch einmal versuchen',
  noCard: 'Ich habe keine Karte',
  goodJourney: 'Danke für Ihren Aufenthalt. Gute Reise!',
  isCheckedOut: 'Sie sind ausgecheckt.',
  leaveCards: 'Bitte lassen Sie Ihre Karten an der Rezeption.',
  anotherCard: 'Noch eine Karte zurückgeben',
  noMoreCards: 'Keine weitere Karte',
}
