package main

import (
	"context"
	"net/http"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// missing asks for an object that is not there. ⟨to be written⟩
func missing(ctx context.Context, l *lab.Lab) error {
	code, _, err := lab.SendJSON(ctx, l.Aloud(l.HTTPClient()), http.MethodGet, configMaps(l)+"/none", nil)
	if err != nil {
		return err
	}
	l.Wire("%d %s", code, http.StatusText(code))
	l.Conclude("⟨to be written⟩")
	return nil
}
