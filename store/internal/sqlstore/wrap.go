package sqlstore

import "fmt"

// wrap says what was attempted and translates the driver's complaint.
func (o *ops) wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), o.dialect.Translate(err))
}
