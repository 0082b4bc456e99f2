"""Consent taken back in one's own words: "please stop texting me", "no más mensajes". Pure.

Any wording that a reasonable person understands counts (47 CFR 64.1200(a)(10)), not only the
keywords of carriers. Nothing that answers a question of a game reads so: those are single words,
labels, names.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, TypeAlias

Revocation: TypeAlias = Literal["clear", "doubtful", "none"]
"""`doubtful`: from a stranger it means to be left alone; from a player at a table it may not."""

_TEXTS = r"(?:texts?|texting|messages?|messaging|msgs?|sms|contacting|bothering|spamm?ing)"
_CLEAR = (
    # English
    rf"\b(?:stop|quit|cease|end|cancel|do not|dont|never|no more|not another)\b.*\b{_TEXTS}\b",
    r"\b(?:stop|quit) (?:writing|sending)\b",
    r"\b(?:remove|delete|erase|unsubscribe|unlist) (?:me|my (?:phone )?number|this number)\b",
    r"\b(?:take|get) (?:me|my number|this number) (?:off|out|from)\b",
    r"\b(?:unsubscribe|opt(?:ing)? (?:me )?out|revoke (?:my )?consent)\b",
    r"^(?:please |pls |just )*stop(?: (?:it|this|that|now|please|pls|thanks|thank you|already))*$",
    r"\b(?:want|wish|like) to (?:stop|quit|opt out|unsubscribe)\b",
    # Spanish, Portuguese
    r"\bno mas(?: (?:por favor|gracias))*$|\bno mas (?:mensajes?|textos?|sms)\b",
    r"\bno me (?:escriban?|escribas|envien?|envies|manden?|mandes)\b",
    r"\b(?:dejen?|deja|deje|paren?|pare|para) de (?:me )?(?:enviar|mandar|escribir|escrever)",
    r"\b(?:borrame|eliminame|quitame|darme de baja|dar de baja|remova me|me remova)\b",
    r"\bnao (?:quero|me)\b.*\b(?:mensage\w+|sms|textos?|escreva\w*|mande\w*|envie\w*)\b",
    # French
    r"\b(?:arrete|arretez|cesse|cessez)\b.*\b(?:ecrire|envoyer|messages?|sms|textos?)\b",
    r"\bne m ?(?:ecri|envoy|contact)\w+ (?:plus|pas)\b|\bplus de (?:messages?|sms|textos?)\b",
    r"\b(?:desabonn|desinscri)\w+",
    # German
    r"\bkeine (?:weiteren )?(?:sms|nachrichten|texte)\b|\b(?:schreib\w*|sms) .*\bnicht mehr\b",
    r"\bnicht mehr schreiben\b|\b(?:ich will mich|bitte) (?:abmelden|austragen)\b|\bhor\w* auf\b",
)
_DOUBTFUL = (
    r"\bleave me alone\b",
    r"\bwrong (?:number|person)\b",
    r"\bgo away\b",
    r"\bnot interested\b",
    r"\bnumero equivocado\b|\bdejame en paz\b",
    r"\b(?:mauvais|faux) numero\b|\blaissez? moi tranquille\b",
    r"\bfalsche nummer\b|\blass(?:t)? mich in ruhe\b",
)
_IS_CLEAR, _IS_DOUBTFUL = re.compile("|".join(_CLEAR)), re.compile("|".join(_DOUBTFUL))
_WORDS_AT_LEAST = 2
_DENIED = re.compile(r"\b(?:dont|do not|never|cant|cannot|wont) stop\b")


def revocation(text: str) -> Revocation:
    """Whether a text that is no keyword takes consent back."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(ch for ch in bare if not unicodedata.combining(ch))
    words = re.sub(r"[^\w]+", " ", re.sub(r"(?<=[a-z])['’](?=t\b)", "", bare)).strip()
    if len(words.split()) < _WORDS_AT_LEAST or _DENIED.search(words):
        return "none"
    if _IS_CLEAR.search(words):
        return "clear"
    return "doubtful" if _IS_DOUBTFUL.search(words) else "none"
