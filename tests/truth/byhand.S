/*
 * Frames that no compiler makes, each with rules that say so: void NAME(void (*inner)(void)).
 *
 * Most call what they are given, which clobbers the register or the word that the rules speak of, or
 * needs it: who_rbx and who_r12 have their frame's address in a register that others must give back.
 */
	.text

	.macro	begin name
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	.endm

	.macro	end name
	.cfi_endproc
	.size	\name, . - \name
	.endm

	/* CFA = rbx + 16: who calls on must have rbx given back. */
	begin	who_rbx
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	mov	%rsp, %rbx
	.cfi_def_cfa %rbx, 16
	sub	$72, %rsp
	and	$-64, %rsp
	call	*%rdi
	mov	%rbx, %rsp
	.cfi_def_cfa_register %rsp
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	ret
	end	who_rbx

	begin	who_r12
	push	%r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r12, 0
	lea	16(%rsp), %r12
	.cfi_def_cfa %r12, 0
	sub	$200, %rsp
	and	$-128, %rsp
	call	*%rdi
	lea	-16(%r12), %rsp
	.cfi_def_cfa %rsp, 16
	pop	%r12
	.cfi_def_cfa_offset 8
	.cfi_restore %r12
	ret
	end	who_r12

	/* DW_CFA_expression: rbx is saved at CFA - 40, said as "push the CFA (it is there), lit40, minus". */
	begin	saved_by_expression
	sub	$40, %rsp
	.cfi_adjust_cfa_offset 40
	mov	%rbx, 8(%rsp)
	.cfi_escape 0x10, 3, 3, 0x08, 40, 0x1c
	xor	%ebx, %ebx
	call	*%rdi
	mov	8(%rsp), %rbx
	.cfi_restore %rbx
	add	$40, %rsp
	.cfi_adjust_cfa_offset -40
	ret
	end	saved_by_expression

	/* DW_CFA_val_expression: rbx and r12 were stored changed, rbx + 5 and r12 << 1. */
	begin	value_by_expression
	sub	$40, %rsp
	.cfi_adjust_cfa_offset 40
	lea	5(%rbx), %rax
	mov	%rax, 16(%rsp)
	/* CFA, lit32, minus, deref, lit5, minus */
	.cfi_escape 0x16, 3, 6, 0x08, 32, 0x1c, 0x06, 0x35, 0x1c
	lea	(%r12,%r12), %rax
	mov	%rax, 24(%rsp)
	/* CFA, const1u 24, minus, deref, lit1, shr */
	.cfi_escape 0x16, 12, 6, 0x08, 24, 0x1c, 0x06, 0x31, 0x25
	mov	$-1, %rbx
	mov	$-1, %r12
	call	*%rdi
	mov	16(%rsp), %rbx
	sub	$5, %rbx
	.cfi_restore %rbx
	mov	24(%rsp), %r12
	shr	$1, %r12
	.cfi_restore %r12
	add	$40, %rsp
	.cfi_adjust_cfa_offset -40
	ret
	end	value_by_expression

	/* DW_CFA_val_offset: who_rbx, which calls this, has in rbx what is here CFA + some; but not how
	   much. So it has a caller of its own that leaves its stack pointer at the call in rbx. */
	begin	who_knows
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	push	%rdi
	.cfi_adjust_cfa_offset 8
	push	%rdi
	.cfi_adjust_cfa_offset 8
	mov	%rsp, %rbx
	.cfi_def_cfa_register %rbx
	call	value_by_offset
	.cfi_def_cfa_register %rsp
	add	$16, %rsp
	.cfi_adjust_cfa_offset -16
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	ret
	end	who_knows

	begin	value_by_offset
	.cfi_escape 0x14, 3, 0
	xor	%ebx, %ebx
	push	%rdi
	.cfi_adjust_cfa_offset 8
	call	*%rdi
	pop	%rdi
	.cfi_adjust_cfa_offset -8
	lea	8(%rsp), %rbx
	.cfi_restore %rbx
	ret
	end	value_by_offset

	/* The frame's address is in memory, as after a switch of stacks: CFA = *(rsp + 8) + 8. */
	begin	frame_in_memory
	mov	%rsp, %rax
	.cfi_def_cfa %rax, 8
	sub	$1000, %rsp
	and	$-256, %rsp
	sub	$16, %rsp
	mov	%rax, 8(%rsp)
	/* breg7 8, deref, plus_uconst 8 */
	.cfi_escape 0x0f, 5, 0x77, 8, 0x06, 0x23, 8
	call	*%rdi
	mov	8(%rsp), %rsp
	.cfi_def_cfa %rsp, 8
	ret
	end	frame_in_memory

	/* As a procedure linkage table says it: CFA = rsp + 8 + 8 * ((rip & 15) >= 10). */
	.p2align 4
	begin	like_linkage
	.cfi_escape 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3a, 0x2a, 0x33, 0x24, 0x22
	.byte	0x0f, 0x1f, 0x80, 0, 0, 0, 0   /* a nop of 7 bytes and one of 2 */
	.byte	0x66, 0x90
	push	%rax                           /* byte 9: from byte 10 on it is done */
	nop
	pop	%rcx
	.cfi_def_cfa %rsp, 8
	push	%rdi
	.cfi_adjust_cfa_offset 8
	call	*%rdi
	pop	%rdi
	.cfi_adjust_cfa_offset -8
	ret
	end	like_linkage

	/* The return address is in a register while its word on the stack holds something else. */
	begin	returns_by_register
	push	%rdi
	.cfi_adjust_cfa_offset 8
	push	%r13
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r13, 0
	mov	16(%rsp), %r13
	.cfi_register %rip, %r13
	movq	$0, 16(%rsp)
	sub	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	*%rdi
	add	$8, %rsp
	.cfi_adjust_cfa_offset -8
	mov	%r13, 16(%rsp)
	.cfi_restore %rip
	pop	%r13
	.cfi_adjust_cfa_offset -8
	.cfi_restore %r13
	pop	%rdi
	.cfi_adjust_cfa_offset -8
	ret
	end	returns_by_register

	/* Two ways out, each with what was remembered at the fork; advances of one, two and four bytes. */
	begin	two_ways
	push	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	mov	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	push	%rdi
	.cfi_remember_state
	call	*%rdi
	testb	$16, %bpl
	jz	1f
	leave
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	.cfi_remember_state
	push	%rax
	.cfi_adjust_cfa_offset 8
	.skip	80, 0x90
	pop	%rax
	.cfi_restore_state
	ret
1:	.cfi_restore_state
	.skip	300, 0x90
	jmp	2f
	.skip	70000, 0x90
2:	mov	%rbp, %rsp
	.cfi_def_cfa_register %rsp
	pop	%rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbp
	ret
	end	two_ways

	/* A saved register that the rules then call undefined and the same; neither stops anybody. */
	begin	odd_rules
	push	%r14
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r14, 0
	.cfi_undefined %rax
	.cfi_undefined %xmm7
	.cfi_same_value %r15
	.cfi_escape 0x2e, 16                   /* DW_CFA_GNU_args_size */
	sub	$16, %rsp
	.cfi_adjust_cfa_offset 16
	call	*%rdi
	add	$16, %rsp
	.cfi_adjust_cfa_offset -16
	pop	%r14
	.cfi_adjust_cfa_offset -8
	.cfi_restore %r14
	ret
	end	odd_rules

	/* The last bytes of a function are a call, and the next function has other rules. */
	begin	ends_in_call
	push	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	mov	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	call	*%rdi
	call	comes_back
	end	ends_in_call

	begin	not_reached
	.cfi_def_cfa_offset 4096
	ud2
	end	not_reached

	begin	comes_back
	add	$8, %rsp
	.cfi_def_cfa %rbp, 16
	.cfi_offset %rbp, -16
	pop	%rbp
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	ret
	end	comes_back

	/* No rules at all, but a frame pointer. */
	.globl	without_rules
	.type	without_rules, @function
without_rules:
	push	%rbp
	mov	%rsp, %rbp
	sub	$32, %rsp
	call	*%rdi
	leave
	ret
	.size	without_rules, . - without_rules

	.section .note.GNU-stack, "", @progbits
