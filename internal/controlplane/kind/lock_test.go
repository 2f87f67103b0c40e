package kind

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// heard closes told when a command says that it waits for another.
type heard struct {
	once sync.Once
	told chan struct{}
}

func (h *heard) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "waiting for it to end") {
		h.once.Do(func() { close(h.told) })
	}
	return len(p), nil
}

// The first command is kept in its first question to docker, with the lock, until the second has said that it waits.
func TestTwoCommandsTakeTurns(t *testing.T) {
	first := newCluster(t)
	wait := &heard{told: make(chan struct{})}
	second, err := For(first.root, 0, wait)
	require.NoError(t, err)
	dir := t.TempDir()
	gate, busy, both := filepath.Join(dir, "gate"), filepath.Join(dir, "busy"), filepath.Join(dir, "both")
	require.NoError(t, syscall.Mkfifo(gate, 0o600))
	fakeDocker(t, engineThere+`ps*) mkdir `+busy+` || touch `+both+
		`; [ ! -p `+gate+` ] || cat `+gate+`; rmdir `+busy+`;;`)

	ended := make(chan error, 2)
	go func() { ended <- first.Down(t.Context()) }()
	open, err := os.OpenFile(gate, os.O_WRONLY, 0) // returns when the first command reads
	require.NoError(t, err)
	go func() { ended <- second.Down(t.Context()) }()
	<-wait.told
	require.NoError(t, os.Remove(gate))
	require.NoError(t, open.Close())
	assert.NoError(t, errors.Join(<-ended, <-ended))
	_, err = os.Stat(both)
	assert.ErrorIs(t, err, fs.ErrNotExist, "both asked docker at the same time")
	unlock, err := first.lock(t.Context())
	require.NoError(t, err, "the lock is free again")
	unlock()
}
