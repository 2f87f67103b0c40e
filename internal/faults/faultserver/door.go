package faultserver

import (
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/selfsigned"
)

// door is where programs come in: a port of this machine's loopback interface, with a certificate and a token that are
// made for one run.
type door struct {
	listener net.Listener
	server   *http.Server
	token    string
	ca       []byte // PEM
}

// openDoor listens on 127.0.0.1, unless it is given what to listen on. Nothing is answered before the server serves.
func openDoor(given net.Listener, port int) (*door, error) {
	d := &door{token: rand.Text(), listener: given, server: &http.Server{
		ErrorLog:          log.New(io.Discard, "", 0), // broken connections are what the proxy is for
		ReadHeaderTimeout: 10 * time.Second,
	}}
	// A connection is for one request: it breaks alone, and net/http asks nothing twice on a new one.
	d.server.SetKeepAlivesEnabled(false)
	if given != nil {
		return d, nil
	}
	certificate, err := selfsigned.New("fault proxy", x509.ExtKeyUsageServerAuth, 30*24*time.Hour)
	if err != nil {
		return nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	plain, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("the fault proxy cannot listen on %s: %w; choose another port, or none for a free one",
			address, err)
	}
	d.ca, d.listener = certificate.PEM, tls.NewListener(plain, &tls.Config{
		Certificates: []tls.Certificate{certificate.TLS},
		MinVersion:   tls.VersionTLS12, NextProtos: []string{"http/1.1"}})
	return d, nil
}

// URL is where the proxy listens.
func (s *Server) URL() string { return "https://" + s.door.listener.Addr().String() }

// admits says whether a request has the token. The case of the word before it does not matter, as to kube-apiserver.
func (d *door) admits(r *http.Request) bool {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	return ok && strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(token), []byte(d.token)) == 1
}

// refuse answers with a Status, as an API server does.
func refuse(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure",
		"message": message, "reason": reason, "code": code})
}

// written is how a kubeconfig of the proxy begins, so that no other file is ever replaced by one.
const written = "# Written by go run ./scripts/faults, which removes it when it ends.\n"

// WriteKubeconfig writes a kubeconfig that leads through the proxy, for this user alone. A file that is there stays,
// unless a proxy wrote it.
func (s *Server) WriteKubeconfig(path, namespace string) error {
	old, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("the kubeconfig of the fault proxy: %w", err)
	case !strings.HasPrefix(string(old), written):
		return fmt.Errorf("%s is there already and was not written by the fault proxy: name another file", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("the folder of the fault proxy's kubeconfig: %w", err)
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".faults-*") // mode 0600
	if err != nil {
		return fmt.Errorf("the kubeconfig of the fault proxy: %w", err)
	}
	_, err = file.WriteString(s.kubeconfig(namespace))
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("the kubeconfig of the fault proxy: %w", errors.Join(err, os.Remove(file.Name())))
	}
	return nil
}

// RemoveKubeconfig removes what WriteKubeconfig wrote, unless something else is there by now.
func (s *Server) RemoveKubeconfig(path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !strings.Contains(string(data), s.door.token) {
		return nil
	}
	return errors.Join(err, os.Remove(path))
}

func (s *Server) kubeconfig(namespace string) string {
	return written + fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: faults
contexts:
- name: faults
  context: {cluster: faults, user: faults, namespace: %q}
clusters:
- name: faults
  cluster:
    server: %s
    certificate-authority-data: %s
users:
- name: faults
  user: {token: %s}
`, namespace, s.URL(), base64.StdEncoding.EncodeToString(s.door.ca), s.door.token)
}
