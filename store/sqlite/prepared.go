package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// prepared runs statements on a pool or on one connection and keeps them
// prepared: parsing costs as much as running for most of what is asked here.
type prepared struct {
	on interface {
		PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
	}
	mu sync.Mutex
	by map[string]*sql.Stmt
}

// maxPrepared bounds what is kept; the store has about a hundred texts.
const maxPrepared = 512

func (p *prepared) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt, err := p.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(ctx, args...)
}

func (p *prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := p.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

func (p *prepared) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if stmt, ok := p.by[query]; ok {
		return stmt, nil
	}
	if len(p.by) >= maxPrepared { // texts that vary: begin anew
		if err := p.drop(); err != nil {
			return nil, err
		}
	}
	stmt, err := p.on.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if p.by == nil {
		p.by = map[string]*sql.Stmt{}
	}
	p.by[query] = stmt
	return stmt, nil
}

// Close closes the statements, not what they run on.
func (p *prepared) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.drop()
}

func (p *prepared) drop() error {
	var errs []error
	for _, stmt := range p.by { // all of them, in any order
		errs = append(errs, stmt.Close())
	}
	p.by = nil
	return errors.Join(errs...)
}
