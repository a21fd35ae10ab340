//! Everything that can be wrong.

use crate::scenario::node::Span;

/// What can be wrong with a scenario file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mistake {
    // The text.
    /// The file is no UTF-8.
    #[error("the file is not UTF-8 from byte {valid_up_to} on")]
    NotUtf8 {
        /// Bytes that are fine.
        valid_up_to: usize,
    },
    /// The file is no YAML.
    #[error("not YAML: {detail}")]
    Syntax {
        /// What the parser says.
        detail: String,
    },
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// More than one document.
    #[error("a second document starts here; a file holds one scenario")]
    SecondDocument,
    /// `&name`
    #[error("anchor `&{name}`: anchors are not part of the language")]
    Anchor {
        /// Its name.
        name: String,
    },
    /// `*name`
    #[error("alias `*{name}`: aliases are not part of the language")]
    Alias {
        /// Its name.
        name: String,
    },
    /// `!tag`
    #[error("tag `{tag}`: tags are not part of the language")]
    Tag {
        /// The tag as written.
        tag: String,
    },
    /// `<<:`
    #[error("merge key `<<`: merge keys are not part of the language")]
    MergeKey,
    /// The same key twice in one map.
    #[error("key `{key}` stands twice in one map")]
    DuplicateKey {
        /// The key.
        key: String,
        /// Where it stood first.
        first: Span,
    },
    /// A key that is a list or a map.
    #[error("a key must be plain text")]
    KeyNotText,
    /// A number that would not survive reading.
    #[error("`{number}` cannot be held exactly as a number")]
    NumberOutOfRange {
        /// The number as written.
        number: String,
    },

    // The frame of the file.
    /// The wrong shape of value.
    #[error("{what} must be {wanted}, and this is {found}")]
    WrongType {
        /// What it is about.
        what: String,
        /// What it must be.
        wanted: String,
        /// What it is.
        found: &'static str,
    },
    /// A key that has to be there.
    #[error("{place} lacks `{key}`")]
    MissingKey {
        /// The map.
        place: String,
        /// The key.
        key: String,
        /// What the key is for.
        why: String,
    },
    /// A key nobody reads.
    #[error("{place} has no key `{key}`")]
    UnknownKey {
        /// The map.
        place: String,
        /// The key as written.
        key: String,
        /// Nearest right spelling.
        nearest: Option<String>,
        /// All that could stand there.
        known: Vec<String>,
    },
    /// A text that a comma has cut in two, so that the rest looks like a key.
    #[error("`{text}` is taken for a key, and it looks like the rest of a text")]
    TextCutByComma {
        /// The rest.
        text: String,
    },
    /// An empty text or list where something has to be said.
    #[error("{what} is empty")]
    EmptyValue {
        /// What it is about.
        what: String,
    },
    /// A word that is none of the few that are possible.
    #[error("{what} cannot be `{found}`")]
    NotAChoice {
        /// What it is about.
        what: String,
        /// What stands there.
        found: String,
        /// The words that are possible.
        known: Vec<String>,
    },
    /// The same entry twice in a list where that makes no sense.
    #[error("`{entry}` stands twice in {what}")]
    DuplicateEntry {
        /// The list.
        what: String,
        /// The entry.
        entry: String,
    },

    // Names out of the catalogues.
    /// A promise id that is in no catalogue.
    #[error("there is no promise `{id}`")]
    UnknownPromise {
        /// The id as written.
        id: String,
        /// Nearest right spelling.
        nearest: Option<String>,
    },
    /// A field-bug id that is in no catalogue.
    #[error("there is no field bug `{id}`")]
    UnknownBug {
        /// The id as written.
        id: String,
        /// Nearest right spelling.
        nearest: Option<String>,
    },
    /// A feature that no target can claim.
    #[error("there is no feature `{feature}`")]
    UnknownFeature {
        /// The feature as written.
        feature: String,
        /// Nearest right spelling.
        nearest: Option<String>,
        /// All features.
        known: Vec<String>,
    },
    /// Something that needs a feature which nothing declares.
    #[error("`{what}` needs the feature `{feature}`, which {place} declares")]
    UndeclaredFeature {
        /// What needs it.
        what: String,
        /// The feature.
        feature: String,
        /// Where it is used.
        place: Undeclared,
    },
    /// A client profile that does not exist.
    #[error("there is no client profile `{profile}`")]
    UnknownProfile {
        /// The profile as written.
        profile: String,
        /// Nearest right spelling.
        nearest: Option<String>,
        /// All profiles.
        known: Vec<String>,
    },

    // The cast.
    /// A name that cannot be used.
    #[error("`{name}` cannot name {what}: names are lower-case letters, digits and `_`, a letter first")]
    BadName {
        /// The name.
        name: String,
        /// What it should name.
        what: &'static str,
    },
    /// A name that means something already.
    #[error("`{name}` is taken: it always means {meaning}")]
    ReservedName {
        /// The name.
        name: String,
        /// What it means.
        meaning: &'static str,
    },
    /// A cast member that is nothing in particular, or two things at once.
    #[error("cast member `{name}` must be exactly one of `app`, `client`, `operator`")]
    RoleCount {
        /// The member.
        name: String,
    },

    // Steps.
    /// A step with several keys.
    #[error("a step has exactly one key, and this one has several: {keys}")]
    StepKeys {
        /// Which.
        keys: String,
    },
    /// A step without any key.
    #[error("a step has exactly one key, and this one has none")]
    EmptyStep,
    /// A step that is neither `actor.verb` nor a control step.
    #[error("`{text}` is no step")]
    NotAStep {
        /// What stands there.
        text: String,
        /// Nearest right spelling.
        nearest: Option<String>,
    },
    /// An actor that is not in the cast.
    #[error("`{name}` is not in the cast")]
    UnknownActor {
        /// The name as written.
        name: String,
        /// Nearest right spelling.
        nearest: Option<String>,
        /// Everybody there is.
        known: Vec<String>,
    },
    /// A name in the cast that is another kind of actor.
    #[error("`{name}` is {is}, and {wanted} is needed here")]
    WrongActor {
        /// The name.
        name: String,
        /// What it is.
        is: &'static str,
        /// What is needed.
        wanted: &'static str,
    },
    /// A verb that this kind of actor does not have.
    #[error("{actor} cannot `{verb}`")]
    UnknownVerb {
        /// The kind of actor.
        actor: &'static str,
        /// The verb as written.
        verb: String,
        /// Nearest right spelling.
        nearest: Option<String>,
        /// The kind of actor that has this very verb.
        elsewhere: Option<&'static str>,
    },
    /// A parameter that the verb does not have.
    #[error("`{verb}` takes no `{param}`")]
    UnknownParam {
        /// The verb.
        verb: String,
        /// The parameter as written.
        param: String,
        /// Nearest right spelling.
        nearest: Option<String>,
        /// The verb's parameters.
        known: Vec<String>,
    },
    /// A parameter that the verb cannot do without.
    #[error("`{verb}` needs `{param}`")]
    MissingParam {
        /// The verb.
        verb: String,
        /// The parameter.
        param: String,
        /// What it means.
        doc: String,
    },
    /// An argument without a name where the verb has no main parameter.
    #[error("`{verb}` takes its arguments by name")]
    ArgumentsByName {
        /// The verb.
        verb: String,
        /// The verb's parameters.
        known: Vec<String>,
    },
    /// Parameters of which only one, or at least one, may be there.
    #[error("`{verb}` takes {rule} of {params}")]
    ParamChoice {
        /// The verb.
        verb: String,
        /// `exactly one`, `at most one`, …
        rule: &'static str,
        /// The parameters.
        params: String,
    },
    /// An operation left open, or a mark, without a name.
    #[error("`{verb}` needs `as`: without a name nobody can refer to it later")]
    NeedsName {
        /// The verb.
        verb: String,
    },

    // Checks.
    /// An expectation without a label.
    #[error("this expectation has no label")]
    ExpectWithoutCheck,
    /// A label where nothing is expected.
    #[error("`{verb}` expects nothing, so there is nothing to check")]
    CheckWithoutExpect {
        /// The verb.
        verb: String,
        /// The key that asks for a check.
        key: String,
    },
    /// A label that stands twice.
    #[error("the label `{label}` stands twice in this scenario")]
    DuplicateLabel {
        /// The label.
        label: String,
        /// Where it stood first.
        first: Span,
        /// Whether it is the verb's default label.
        default: bool,
    },
    /// A label without a letter or digit, from which no id can be made.
    #[error("no id can be made from `{text}`: it has neither letter nor digit")]
    NoSlug {
        /// The label or name.
        text: String,
    },
    /// A check among the steps that clean up.
    #[error("`finally` cleans up, it checks nothing")]
    CheckInFinally,
    /// A check among the steps that all cases share.
    #[error("`once` prepares what all cases share, it checks nothing")]
    CheckInOnce,
    /// Somebody else than an app or a client in what all cases share.
    #[error("only apps and clients act in `once`")]
    OnlyTheCastStays,
    /// A value of one case in what all cases share.
    #[error("`once` is the same for all cases, so it has no `case`")]
    CaseInOnce,
    /// Steps for all cases where there is but one.
    #[error("`once` is for tables, and the scenario has no `cases`")]
    OnceWithoutCases,
    /// Steps for all cases of a daemon where every case has its own.
    #[error("with `once`, cases share a daemon")]
    OnceOnFreshDaemons,

    // The case table.
    /// Two rows with one name.
    #[error("two cases are named `{name}`")]
    DuplicateCase {
        /// The name.
        name: String,
        /// Where it stood first.
        first: Span,
    },
    /// A value no row has.
    #[error("no case has a `{key}`")]
    NoCaseHas {
        /// The key.
        key: String,
        /// Nearest right spelling.
        nearest: Option<String>,
        /// The keys of the rows.
        known: Vec<String>,
    },
    /// A value that some rows have and this one lacks.
    #[error("case `{case}` has no `{key}`, and a step uses `${{case.{key}}}`")]
    CaseLacks {
        /// The case.
        case: String,
        /// The key.
        key: String,
        /// Where it is used.
        used: Span,
    },
    /// `${case.…}` without a table, or `${each.…}` without axes.
    #[error("`${{{root}…}}` is used, and the scenario has no `{key}`")]
    NoTable {
        /// The root.
        root: String,
        /// The key that would define it.
        key: String,
    },
    /// A value of `each` that is no axis.
    #[error("`each` has no axis `{axis}`")]
    UnknownAxis {
        /// The axis as written.
        axis: String,
        /// Nearest right spelling.
        nearest: Option<String>,
        /// The axes there are.
        known: Vec<String>,
    },

    // Templates and generators.
    /// A template that cannot be read.
    #[error("template: {detail}")]
    Template {
        /// What is wrong.
        detail: String,
    },
    /// A template whose first name means nothing.
    #[error("nothing is named `{root}`")]
    UnknownRoot {
        /// The name as written.
        root: String,
        /// Nearest right spelling.
        nearest: Option<String>,
    },
    /// A name that is given further down.
    #[error("`{name}` is used before a step gives that name")]
    UsedTooEarly {
        /// The name.
        name: String,
        /// Where it is given.
        given: Span,
    },
    /// A `$key` in an argument that is no generator.
    #[error("there is no generator `{key}`")]
    UnknownGenerator {
        /// The key as written.
        key: String,
        /// Nearest right spelling.
        nearest: Option<String>,
        /// All generators.
        known: Vec<String>,
        /// Whether a matcher has that name.
        matcher: bool,
    },
    /// A generator that cannot work.
    #[error("`{key}` {detail}")]
    Generator {
        /// The generator.
        key: String,
        /// What is wrong.
        detail: String,
    },

    // Matchers.
    /// A `$key` in an expectation that is no matcher.
    #[error("there is no matcher `{key}`")]
    UnknownMatcher {
        /// The key as written.
        key: String,
        /// Nearest right spelling.
        nearest: Option<String>,
        /// All matchers.
        known: Vec<String>,
    },
    /// A `$key` in a row of the case table that is neither matcher nor generator.
    #[error("there is neither a matcher nor a generator `{key}`")]
    UnknownDollarKey {
        /// The key as written.
        key: String,
        /// Nearest right spelling.
        nearest: Option<String>,
        /// All matchers and generators.
        known: Vec<String>,
    },
    /// A matcher whose operand cannot be used.
    #[error("`{key}` {detail}")]
    MatcherOperand {
        /// The matcher.
        key: String,
        /// What is wrong.
        detail: String,
    },

    // The set.
    /// A file that cannot be read.
    #[error("cannot be read: {detail}")]
    Unreadable {
        /// What the system says.
        detail: String,
    },
}

/// Where something is used that needs a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undeclared {
    /// In a step.
    Step,
    /// In a row of the case table.
    Case,
    /// In the cast or the daemon's configuration.
    Scenario,
}

impl std::fmt::Display for Undeclared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Step => "neither this step nor the scenario",
            Self::Case => "neither this case nor the scenario",
            Self::Scenario => "no key of the scenario",
        })
    }
}
