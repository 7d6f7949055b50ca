package risk

import (
	"cmp"

	"terfyn/compiler/resource"
)

// toolLimits reports limits of a tool and its operations that fall away or grow.
// What a limit of the project causes below it is the project's item alone.
func (a *assessment) toolLimits(before, after resource.Tool) {
	target := id(resource.KindTool, after.Name)
	own, now := before.Limits, after.Limits
	was, is := own.Over(a.Before.Limits).Over(resource.BuiltinLimits()), now.Over(a.After.Limits).Over(resource.BuiltinLimits())
	a.grown(target, target, []grown{
		{"Inputs", own.MaxToolInputBytes, now.MaxToolInputBytes, was.MaxToolInputBytes, is.MaxToolInputBytes},
		{"Outputs", own.MaxToolOutputBytes, now.MaxToolOutputBytes, was.MaxToolOutputBytes, is.MaxToolOutputBytes},
		{"Checkpoints", own.MaxCheckpointBytes, now.MaxCheckpointBytes, was.MaxCheckpointBytes, is.MaxCheckpointBytes},
		{"State", own.MaxStateBytes, now.MaxStateBytes, was.MaxStateBytes, is.MaxStateBytes},
	})
	a.cutOff(target, "inputs", own.ToolInputExceedPolicy != now.ToolInputExceedPolicy, was.ToolInputExceedPolicy, is.ToolInputExceedPolicy)
	a.cutOff(target, "outputs", own.ToolOutputExceedPolicy != now.ToolOutputExceedPolicy, was.ToolOutputExceedPolicy, is.ToolOutputExceedPolicy)
	a.cutOff(target, "checkpoints", own.CheckpointExceedPolicy != now.CheckpointExceedPolicy, was.CheckpointExceedPolicy, is.CheckpointExceedPolicy)
	for _, o := range after.Operations {
		old, ok := before.Operation(o.Name)
		if !ok {
			continue
		}
		capability := resource.Capability(after.Name, o.Name)
		a.grown(target, capability, []grown{
			{"Inputs", old.MaxInputBytes, o.MaxInputBytes, cmp.Or(old.MaxInputBytes, was.MaxToolInputBytes), cmp.Or(o.MaxInputBytes, is.MaxToolInputBytes)},
			{"Outputs", old.MaxOutputBytes, o.MaxOutputBytes, cmp.Or(old.MaxOutputBytes, was.MaxToolOutputBytes), cmp.Or(o.MaxOutputBytes, is.MaxToolOutputBytes)},
		})
		if long, longer := seconds(old), seconds(o); longer > long {
			a.add(ToolSurfaceChange, Low, target, "A call of %s may take %d seconds instead of %d.", capability, longer, long)
		}
	}
}

func seconds(o resource.Operation) int64 {
	return cmp.Or(o.TimeoutSeconds, resource.DefaultToolTimeoutSeconds)
}

// grown is a limit in bytes: as written on either side, 0 when it is not, and as
// it holds.
type grown struct {
	what     string
	own, now int64
	was, is  int64
}

func (a *assessment) grown(target, of string, limits []grown) {
	for _, l := range limits {
		if l.own != l.now && l.is > l.was {
			a.add(ToolSurfaceChange, Low, target, "%s of %s may have %d bytes instead of %d.", l.what, of, l.is, l.was)
		}
	}
}

// cutOff reports a tool that no longer fails over a limit by what it says itself.
func (a *assessment) cutOff(target, what string, changed bool, was, is resource.Exceed) {
	if changed && was == resource.Fail && is == resource.Truncate {
		a.add(ToolSurfaceChange, Low, target, "Over their limit, %s of %s are cut off instead of failing.", what, target)
	}
}
