package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/kubeconfig"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane/planetest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/selfsigned"
	_ "github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/withyaml" // reads kubeconfigs
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running is a server that runs in this process.
type running struct {
	plane.Plane
	leash *io.PipeWriter
	ended chan error
}

// start starts a server, which has left nothing when the test ends.
func start(t *testing.T) *running {
	t.Helper()
	base := planetest.Base(t, plane.BaseName())
	stdin, leash := io.Pipe()
	events, stdout := io.Pipe()
	s := &running{leash: leash, ended: make(chan error, 1)}
	dir := filepath.Join(base, "run")
	go func() { s.ended <- serve(leashed(context.Background(), stdin), dir, stdout); _ = stdout.Close() }()
	var e plane.Event
	require.NoError(t, json.NewDecoder(events).Decode(&e), "it says where it serves")
	require.NotNil(t, e.Ready)
	s.Plane = *e.Ready
	t.Cleanup(func() {
		_ = leash.Close()
		require.NoError(t, s.end(t))
		assert.NoDirExists(t, dir)
	})
	return s
}

// end waits for its end, and returns why.
func (s *running) end(t *testing.T) error {
	t.Helper()
	select {
	case err := <-s.ended:
		s.ended <- err // for who asks once more
		return err
	case <-time.After(time.Minute):
		t.Fatal("nobody holds its leash, and it has not ended after a minute")
		return nil
	}
}

// reader is who has the kubeconfig.
func (s *running) reader(t *testing.T) *http.Client {
	t.Helper()
	require.NoError(t, plane.CheckKubeconfig(s.Kubeconfig))
	config, err := kubeconfig.Load(s.Kubeconfig)
	require.NoError(t, err)
	return client(t, config.TLS)
}

func client(t *testing.T, with *tls.Config) *http.Client {
	transport := &http.Transport{TLSClientConfig: with, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

// send sends a request and returns the code and the body of the answer.
func (s *running) send(t *testing.T, c *http.Client, method, path, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.Server+path, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	answer, err := c.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(said)
}

// What a run needs of it: a version, a namespace of its own, objects in that, and none in one that is not there.
func TestARunsNamespace(t *testing.T) {
	s := start(t)
	c := s.reader(t)
	expect := func(code int, method, path, body string) string {
		t.Helper()
		got, said := s.send(t, c, method, path, body)
		require.Equal(t, code, got, said)
		return said
	}
	const kettle = `{"metadata":{"name":"kettle"}}`
	expect(200, http.MethodGet, "/version", "")
	expect(200, http.MethodGet, "/readyz", "")
	assert.Contains(t, expect(200, http.MethodGet, "/api/v1/namespaces", ""), `"name":"default"`)
	said := expect(404, http.MethodPost, "/api/v1/namespaces/tea/configmaps", kettle)
	assert.Contains(t, said, `namespaces \"tea\" not found`)
	assert.Contains(t, said, `"kind":"Status"`)
	expect(201, http.MethodPost, "/api/v1/namespaces", `{"metadata":{"name":"tea","labels":{"of":"a-run"}}}`)
	expect(201, http.MethodPost, "/api/v1/namespaces/tea/configmaps", kettle)
	assert.Contains(t, expect(200, http.MethodGet, "/api/v1/namespaces?labelSelector=of%3Da-run", ""), `"name":"tea"`)
	expect(200, http.MethodDelete, "/api/v1/namespaces/tea", "")
	expect(404, http.MethodPost, "/api/v1/namespaces/tea/configmaps", `{"metadata":{"name":"cup"}}`)
	assert.Contains(t, expect(200, http.MethodGet, "/api/v1/namespaces/default", ""), `"uid"`)
}

// The server asks nobody for credentials, so nobody without the reader's key gets as far as a request.
func TestNobodyElseGetsIn(t *testing.T) {
	s := start(t)
	stranger, err := selfsigned.New("reader of the book", x509.ExtKeyUsageClientAuth, time.Hour)
	require.NoError(t, err)
	for name, certificates := range map[string][]tls.Certificate{
		"without a certificate": nil, "with one of his own": {stranger.TLS},
	} {
		c := client(t, &tls.Config{InsecureSkipVerify: true, Certificates: certificates})
		for _, path := range []string{"/version", "/readyz", "/api/v1/namespaces/default/configmaps"} {
			answer, err := c.Get(s.Server + path)
			if err == nil {
				answer.Body.Close()
			}
			require.Error(t, err, "%s, GET %s", name, path) // an alert, or a connection that is closed behind one
		}
	}
	plain, err := client(t, nil).Get(strings.Replace(s.Server, "https://", "http://", 1) + "/version")
	require.NoError(t, err)
	plain.Body.Close()
	require.Equal(t, http.StatusBadRequest, plain.StatusCode, "and there is no door beside TLS")
	code, _ := s.send(t, s.reader(t), http.MethodGet, "/version", "")
	require.Equal(t, 200, code, "the same request, by the reader")

	// the server's certificate is no credential, and the reader's none of a server
	assert.True(t, strings.HasPrefix(s.Server, "https://127.0.0.1:"), s.Server)
	config, err := kubeconfig.Load(s.Kubeconfig)
	require.NoError(t, err)
	_, err = client(t, &tls.Config{RootCAs: stranger.Pool(), Certificates: config.TLS.Certificates}).
		Get(s.Server + "/version")
	require.ErrorContains(t, err, "certificate", "the kubeconfig's authority alone vouches for the server")
}

// The one file with a key in it is the reader's alone, and is gone with the server.
func TestItsFiles(t *testing.T) {
	s := start(t)
	var names []string
	require.NoError(t, filepath.WalkDir(s.Dir, func(path string, _ fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := os.Lstat(path)
		require.NoError(t, err)
		assert.Zero(t, info.Mode().Perm()&0o077, "%s: %v", path, info.Mode())
		names = append(names, filepath.Base(path))
		return nil
	}))
	assert.Equal(t, []string{"run", plane.RunKubeconfig, plane.RunLock}, names)
	require.NoError(t, s.leash.Close())
	require.NoError(t, s.end(t))
	assert.NoDirExists(t, s.Dir)
}

// A watch that is open does not keep it.
func TestTheLeashEndsAWatch(t *testing.T) {
	s := start(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Server+"/api/v1/namespaces?watch=true", nil)
	require.NoError(t, err)
	answer, err := s.reader(t).Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	require.NoError(t, json.NewDecoder(answer.Body).Decode(new(json.RawMessage)), "the namespace that is there")
	require.NoError(t, s.leash.Close())
	require.NoError(t, s.end(t))
	_, err = io.Copy(io.Discard, answer.Body)
	require.Error(t, err, "it was cut")
}

// What cannot start says why, and leaves nothing.
func TestItCannotStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	require.ErrorIs(t, serve(t.Context(), dir, io.Discard), plane.ErrForeign)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	base := planetest.Base(t, plane.BaseName())
	var said bytes.Buffer
	require.NoError(t, serve(ended, filepath.Join(base, "run"), &said), "to be let go is no failure")
	assert.NoDirExists(t, filepath.Join(base, "run"))
	full := fmt.Errorf("write the kubeconfig: %w", syscall.ENOSPC)
	assert.ErrorContains(t, explain(full, "/tmp/cfs-0/run"), "free some space in /tmp/cfs-0, or set TMPDIR")
}

// Chapter 03 would compare it with itself, and what the chapters from 10 on are about it does not have.
func TestWhichDemosPlayOnIt(t *testing.T) {
	root, err := repo.Root()
	require.NoError(t, err)
	all, err := filepath.Glob(filepath.Join(root, "chapters", "*", "main.go"))
	require.NoError(t, err)
	require.NotEmpty(t, all)
	says := regexp.MustCompile(`\n\t+PlaysOnBook: +true,\n`)
	var plays string
	for _, file := range all {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		if says.Match(source) {
			plays += filepath.Base(filepath.Dir(file))[:2] + " "
		}
	}
	assert.Equal(t, "01 02 04 05 06 07 08 09 ", plays)
}
