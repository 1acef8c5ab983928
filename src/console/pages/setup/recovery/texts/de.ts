import type { RecoveryTexts } from '../texts.ts'

export const de: RecoveryTexts = {
  title: 'Wiederherstellungsblatt',
  none: 'Es gibt kein Wiederherstellungsblatt, deshalb wird keine Sicherung gemacht. Geht die Box verloren, ist alles darin verloren. Machen Sie das Blatt jetzt; es dauert zwei Minuten.',
  otherKey:
    'Die Sicherungen sind mit einem Schlüssel verschlüsselt, der auf der Kommandozeile gemacht wurde. Ein Blatt mit Wörtern ist ein zweiter Weg, sie zu öffnen.',
  keptAt: (at) =>
    `Das Wiederherstellungsblatt vom ${at} öffnet jede Sicherung seither. Bewahren Sie es auf wie den Generalschlüssel.`,
  make: 'Wiederherstellungsblatt machen',
  makeAnother: 'Weiteres Blatt machen',
  sheetOf: (hotel) => `Wiederherstellungsblatt ${hotel}`.trim(),
  what: (at) =>
    `Gemacht am ${at}. Wer diese 24 Wörter hat, kann jede Sicherung dieses Hotels öffnen. Die Box hat sie nicht.`,
  how: 'Nach einem Verlust der Box: Öffnen Sie die Seite der neuen Box, wählen Sie „Sicherung wiederherstellen“, und geben Sie die Wörter in dieser Reihenfolge ein. Bewahren Sie ein Blatt im Safe auf und eines in einem anderen Gebäude.',
  print: 'Drucken',
  save: 'Als Datei speichern',
  next: 'Ich habe es auf Papier',
  onlyHere:
    'Die Wörter stehen nur hier und werden nie wieder gezeigt. Das Blatt gilt, sobald Sie einige davon zurückgetippt haben.',
  typeBack: 'Lesen Sie diese Wörter vom Papier ab. Die ersten vier Buchstaben genügen.',
  word: (number) => `Wort ${number}`,
  confirm: 'Dieses Blatt gilt',
  showAgain: 'Wörter noch einmal zeigen',
}
