package rules

var selectionRules []func(*checker)
