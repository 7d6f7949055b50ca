package manifest

// Reason says why a source was refused, where one code has many causes.
type Reason string

// The reasons of nexflow.md section 2.
const (
	ReasonExtension     Reason = "extension"
	ReasonSymlink       Reason = "symlink"
	ReasonNotRegular    Reason = "not-regular"
	ReasonUnreadable    Reason = "unreadable"
	ReasonEncoding      Reason = "encoding"
	ReasonParse         Reason = "parse"
	ReasonMultiDocument Reason = "multi-document"
	ReasonDuplicateKey  Reason = "duplicate-key"
	ReasonKeyType       Reason = "key-type"
	ReasonTag           Reason = "tag"
	ReasonAliasLimit    Reason = "alias-limit"
	ReasonCycle         Reason = "cycle"
	ReasonNonFinite     Reason = "non-finite"
	ReasonRootType      Reason = "root-type"
	ReasonSize          Reason = "size"
	ReasonDocuments     Reason = "documents"
	ReasonRoot          Reason = "root"
	ReasonLocator       Reason = "locator"
	ReasonHintShape     Reason = "hint-shape"
)
