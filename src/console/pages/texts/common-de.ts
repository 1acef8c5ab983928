import type { CommonTexts } from '../lib/language/common-texts.ts'

export const de: CommonTexts = {
  tryAgain: 'Erneut versuchen',
  close: 'Schließen',
  cancel: 'Abbrechen',
  loading: 'Wird geladen',
  otherTime: (here, box) =>
    `Dieser Computer zeigt ${here}, die Box zeigt ${box}. Eine der beiden Uhren geht falsch. Für Karten gilt die Uhr der Box.`,
  noLineTitle: 'Keine Verbindung zur Box',
  noLine:
    'Diese Seite erreicht die Box nicht. Die Angaben können veraltet sein. Die Seite versucht es weiter.',
  badAnswerTitle: 'Die Antwort ist nicht lesbar',
  badAnswer:
    'Diese Seite hat etwas anderes bekommen als eine Antwort der Box. Es ist also nicht bekannt, ob es getan wurde. Sehen Sie nach, bevor Sie es noch einmal tun. Bleibt es so, prüfen Sie, was zwischen diesem Computer und der Box steht, etwa einen Proxy.',
  brokenTitle: 'Diese Seite hat einen Fehler',
  brokenText:
    'Ein Teil dieser Seite konnte nicht gezeigt werden oder hat nicht funktioniert. Sehen Sie nach, ob Ihre letzte Handlung ausgeführt wurde, bevor Sie sie wiederholen. Die Seite versucht es noch einmal.',
  toStart: 'Zurück zur ersten Ansicht',
  loadAgain: 'Seite neu laden',
  needsLine: 'Nicht ohne Verbindung zur Box',
  isHeld: 'Eine andere Aktion läuft noch',
  asOf: (time) => `Stand ${time}`,
  language: 'Sprache',
  wasLockedTitle: 'Der Arbeitsplatz war gesperrt',
  wasLocked: 'Er wurde gesperrt, bevor dies erledigt war. Bitte noch einmal ausführen.',
  system: 'Einrichtung, Sicherungen und Zustand der Box',
  networkTrouble: 'Die Box startet. Diese Seite versucht es weiter.',
}
