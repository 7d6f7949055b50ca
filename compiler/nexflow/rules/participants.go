package rules

var participantRules []func(*checker)
