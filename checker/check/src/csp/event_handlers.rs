//! Lists the event handler attributes.

/// Events with a handler attribute on all elements, without `on`, sorted (HTML, SVG, UI Events, CSS, Pointer Events and others).
const EVENTS: &[&str] = &[
    "abort",
    "animationcancel",
    "animationend",
    "animationiteration",
    "animationstart",
    "auxclick",
    "beforecopy",
    "beforecut",
    "beforeinput",
    "beforematch",
    "beforepaste",
    "beforetoggle",
    "blur",
    "cancel",
    "canplay",
    "canplaythrough",
    "change",
    "click",
    "close",
    "command",
    "contentvisibilityautostatechange",
    "contextlost",
    "contextmenu",
    "contextrestored",
    "copy",
    "cuechange",
    "cut",
    "dblclick",
    "drag",
    "dragend",
    "dragenter",
    "dragleave",
    "dragover",
    "dragstart",
    "drop",
    "durationchange",
    "emptied",
    "ended",
    "error",
    "focus",
    "focusin",
    "focusout",
    "formdata",
    "fullscreenchange",
    "fullscreenerror",
    "gotpointercapture",
    "input",
    "invalid",
    "keydown",
    "keypress",
    "keyup",
    "load",
    "loadeddata",
    "loadedmetadata",
    "loadstart",
    "lostpointercapture",
    "mousedown",
    "mouseenter",
    "mouseleave",
    "mousemove",
    "mouseout",
    "mouseover",
    "mouseup",
    "mousewheel",
    "paste",
    "pause",
    "play",
    "playing",
    "pointercancel",
    "pointerdown",
    "pointerenter",
    "pointerleave",
    "pointermove",
    "pointerout",
    "pointerover",
    "pointerrawupdate",
    "pointerup",
    "progress",
    "ratechange",
    "reset",
    "resize",
    "scroll",
    "scrollend",
    "scrollsnapchange",
    "scrollsnapchanging",
    "search",
    "securitypolicyviolation",
    "seeked",
    "seeking",
    "select",
    "selectionchange",
    "selectstart",
    "slotchange",
    "stalled",
    "submit",
    "suspend",
    "timeupdate",
    "toggle",
    "touchcancel",
    "touchend",
    "touchmove",
    "touchstart",
    "transitioncancel",
    "transitionend",
    "transitionrun",
    "transitionstart",
    "volumechange",
    "waiting",
    "webkitanimationend",
    "webkitanimationiteration",
    "webkitanimationstart",
    "webkitfullscreenchange",
    "webkitfullscreenerror",
    "webkittransitionend",
    "wheel",
];

/// Events of windows: `body` and `frameset` have their handlers, sorted (HTML, `WindowEventHandlers`).
const WINDOW_EVENTS: &[&str] = &[
    "afterprint",
    "beforeprint",
    "beforeunload",
    "hashchange",
    "languagechange",
    "message",
    "messageerror",
    "offline",
    "online",
    "pagehide",
    "pagereveal",
    "pageshow",
    "pageswap",
    "popstate",
    "rejectionhandled",
    "storage",
    "unhandledrejection",
    "unload",
];

/// Events of animations in SVG, sorted (SVG Animations).
const ANIMATION_EVENTS: &[&str] = &["begin", "end", "repeat"];

/// The elements that have a handler for an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlerOwner {
    /// `body` and `frameset`.
    Body,
    /// Elements of SVG.
    Svg,
    /// Other elements.
    Other,
}

/// Whether an attribute with this name in lower case is an event handler.
pub fn is_event_handler(name: &str, owner: HandlerOwner) -> bool {
    let Some(event) = name.strip_prefix("on") else { return false };
    let own = match owner {
        HandlerOwner::Body => WINDOW_EVENTS,
        HandlerOwner::Svg => ANIMATION_EVENTS,
        HandlerOwner::Other => &[],
    };
    [EVENTS, own].iter().any(|events| events.binary_search(&event).is_ok())
}

#[cfg(test)]
mod tests {
    use super::{ANIMATION_EVENTS, EVENTS, HandlerOwner, WINDOW_EVENTS, is_event_handler};

    #[test]
    fn knows_handlers() {
        for events in [EVENTS, WINDOW_EVENTS, ANIMATION_EVENTS] {
            assert!(events.is_sorted());
        }
        let cases = [
            ("onclick", [true, true, true]),
            ("onhashchange", [true, false, false]),
            ("onbegin", [false, true, false]),
            ("onfoo", [false; 3]),
            ("click", [false; 3]),
        ];
        for (name, expected) in cases {
            let owners = [HandlerOwner::Body, HandlerOwner::Svg, HandlerOwner::Other];
            assert_eq!(owners.map(|owner| is_event_handler(name, owner)), expected, "{name}");
        }
    }
}
