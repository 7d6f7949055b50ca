package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"terfyn/internal/canon"
	"terfyn/planner"
)

// placeForPlan refuses to save a plan over anything but an older plan.
func placeForPlan(name string) error {
	if strings.HasSuffix(name, ".agent") {
		return usagef("-out %s: an .agent file is a source of the project; give the plan another name, such as my.plan", name)
	}
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return usagef("-out %s: %w", name, withoutPath(err))
	case info.Mode()&fs.ModeSymlink != 0:
		return usagef("-out %s is a symbolic link; nothing is written through it, so name the file itself", name)
	}
	b, err := readFile(name, maxPlanBytes)
	if err != nil {
		return usagef("-out %s is there already and no saved plan (%w); choose another file", name, err)
	}
	if !isPlan(b) {
		return usagef("-out %s is there already and no saved plan; choose another file, or remove it first", name)
	}
	return nil
}

// isPlan reports whether content was once written as a saved plan, of any version.
func isPlan(b []byte) bool {
	doc, err := canon.Parse(b)
	if err != nil {
		return false
	}
	_, versioned := doc.Get("formatVersion")
	_, sealed := doc.Get("fileDigest")
	return versioned && sealed
}

// savePlan puts a plan at name in one step, for its owner alone.
func savePlan(name string, plan planner.Plan) error {
	if err := placeForPlan(name); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".plan-*") // mode 0600
	if err != nil {
		return failf(ExitFailure, "save the plan to %s: %w", name, err)
	}
	_, err = f.Write(planner.EncodeFile(plan))
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return failf(ExitFailure, "save the plan to %s: %w", name, errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}
