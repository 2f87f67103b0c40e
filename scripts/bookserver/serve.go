package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/selfsigned"
)

// life is how long the certificates are good: longer than anybody leaves a demo alone, and as long as those of the real
// servers.
const life = 7 * 24 * time.Hour

// serve makes the run directory, serves on a free port of the loopback interface until ctx ends, and leaves nothing
// behind. What is to be known of it goes to events when it serves. The error says why it could not.
func serve(ctx context.Context, dir string, events io.Writer) (err error) {
	lock, err := plane.MakeRun(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plane.RemoveRun(dir, lock)) }()
	handler, err := newHandler()
	if err != nil {
		return err
	}
	certificate, err := selfsigned.New("book's API server", x509.ExtKeyUsageServerAuth, life)
	if err != nil {
		return err
	}
	reader, err := selfsigned.New("reader of the book", x509.ExtKeyUsageClientAuth, life)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler: handler,
		// Chapter 03's server asks nobody for credentials, so the connection does: it is for who has the reader's key.
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate.TLS}, MinVersion: tls.VersionTLS12,
			ClientCAs: reader.Pool(), ClientAuth: tls.RequireAndVerifyClientCert},
		ErrorLog:          log.New(io.Discard, "", 0), // a stranger's handshake is no news
		ReadHeaderTimeout: 10 * time.Second,
	}
	served := make(chan error, 1)
	go func() { served <- server.ServeTLS(listener, "", "") }()
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := admit(dir, "https://"+listener.Addr().String(), certificate, reader, events); err != nil {
		_ = server.Close()
		<-served
		return err
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// admit writes the kubeconfig of the one who may come in, and says where it lies.
func admit(dir, url string, server, reader *selfsigned.Certificate, events io.Writer) error {
	key, err := reader.Key()
	if err != nil {
		return err
	}
	now := time.Now().Round(time.Second)
	ready := &plane.Plane{Dir: dir, Kubeconfig: filepath.Join(dir, plane.RunKubeconfig), Server: url,
		Supervisor: os.Getpid(), Started: now, Expires: now.Add(life)}
	config := plane.NewKubeconfig("reader", url, server.PEM, reader.PEM, key)
	if err := plane.WriteFile(ready.Kubeconfig, config); err != nil {
		return fmt.Errorf("write the kubeconfig: %w", err)
	}
	// A program that started us and is gone holds no leash any more.
	_ = json.NewEncoder(events).Encode(plane.Event{Ready: ready})
	return nil
}
