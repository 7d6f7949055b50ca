package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder is where a project keeps local state.
const Folder = ".agentic"

// DevFile is what a running `terfyn dev` says about itself, in .agentic/dev.json.
type DevFile struct {
	PID       int    `json:"pid"`
	Address   string `json:"address"`
	Namespace string `json:"namespace"`
	TaskQueue string `json:"taskQueue"`
	State     string `json:"state"` // for people: names the place without secrets
	ServerPID int    `json:"serverPid"`
	WorkerPID int    `json:"workerPid"`
}

// DevFilePath is the file of a project.
func DevFilePath(project string) string { return filepath.Join(project, Folder, "dev.json") }

// ReadDevFile returns what a running dev of the project wrote; ok is false when
// there is none or its process is gone.
func ReadDevFile(project string) (f DevFile, ok bool) {
	b, err := os.ReadFile(DevFilePath(project))
	if err != nil || json.Unmarshal(b, &f) != nil {
		return DevFile{}, false
	}
	return f, f.Address != "" && Alive(f.PID)
}

// Write puts f at path in one step.
func (f DevFile) Write(path string) error {
	b, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("encode the ready file: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write the ready file: %w", err)
	}
	if err := os.WriteFile(path+".new", append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the ready file: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("write the ready file: %w", err)
	}
	return nil
}

// RemoveDevFile takes the file away; a missing one is fine.
func RemoveDevFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the ready file: %w", err)
	}
	return nil
}
